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

/** Mantine's greys, warmed: sand by day, ink by night. */
const gray: MantineColorsTuple = [
  "#faf7f1",
  "#f3eee3",
  "#ebe4d5",
  "#e5ddcd",
  "#cbbfa8",
  "#a99d86",
  "#857b69",
  "#6f6655",
  "#544d3f",
  "#1d1a14",
];
const dark: MantineColorsTuple = [
  "#f2ede3",
  "#bfb6a5",
  "#9d9482",
  "#6d6454",
  "#4d4537",
  "#2f2a21",
  "#25211a",
  "#1b1813",
  "#13110d",
  "#0f0d0a",
];

/** Sheets laid over the page: their header is no landmark of its own, their close button has a name. */
const sheet = {
  overlayProps: { backgroundOpacity: 0.4 },
  closeButtonProps: { "aria-label": "Close" },
  attributes: { header: { role: "presentation" } },
};

export const theme = createTheme({
  primaryColor: "majorelle",
  primaryShade: { light: 7, dark: 6 },
  colors: { majorelle, gray, dark },
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontFamily: "var(--serif)", fontWeight: "500" },
  defaultRadius: "sm",
  radius: { sm: "6px", md: "8px", lg: "12px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "error", "description"] } },
    Modal: { defaultProps: { ...sheet, centered: true } },
    Drawer: { defaultProps: sheet },
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
