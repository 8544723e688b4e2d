// Mantine dressed in souk's palette: its components take their colours from design/tokens.css.

import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const majorelle: MantineColorsTuple = [
  "#ecebfb",
  "#d8d5f6",
  "#b9b3f0",
  "#a59dff",
  "#8279ec",
  "#6b61e6",
  "#5a50d8",
  "#4a3fc4",
  "#3b31a6",
  "#2d2585",
];

export const theme = createTheme({
  primaryColor: "majorelle",
  primaryShade: { light: 7, dark: 6 },
  colors: { majorelle },
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontFamily: "var(--serif)", fontWeight: "500" },
  defaultRadius: "sm",
  radius: { sm: "6px", md: "8px", lg: "12px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "error", "description"] } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 } } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 } } },
    Tooltip: { defaultProps: { openDelay: 250, events: { hover: true, focus: true, touch: true } } },
  },
});

const shared = {
  "--mantine-color-body": "var(--card)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent-ink)",
  "--mantine-color-default": "var(--card)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-majorelle-filled": "var(--accent)",
  "--mantine-color-majorelle-filled-hover": "var(--accent-hover)",
  "--mantine-color-majorelle-light": "var(--accent-wash)",
  "--mantine-color-majorelle-light-hover": "var(--accent-line)",
  "--mantine-color-majorelle-light-color": "var(--accent-ink)",
  "--mantine-color-majorelle-text": "var(--accent-ink)",
  "--mantine-color-red-light": "var(--bad-wash)",
  "--mantine-color-red-light-color": "var(--bad)",
  "--mantine-color-red-text": "var(--bad)",
};

export const paletteVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
