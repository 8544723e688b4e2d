// Light or dark; until a person chooses, what the system says.

import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";

export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const other = scheme === "light" ? "dark" : "light";
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--ink-2)"
        aria-label={`Use ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        {scheme === "light" ? <IconMoon size={17} /> : <IconSun size={17} />}
      </ActionIcon>
    </Tooltip>
  );
}
