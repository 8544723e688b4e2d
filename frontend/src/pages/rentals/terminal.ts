// The terminal on screen and its WebSocket: binary frames are bytes both ways, text frames say its size.

import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { answer, api } from "@/api/client";

const THEME = { background: "#14110c", foreground: "#f2ede3", cursor: "#aca5ff", selectionBackground: "#453e86" };

export interface OpenTerminal {
  terminal: Terminal;
  dispose: () => void;
}

export interface Connection {
  close: () => void;
}

export function openTerminal(element: HTMLElement): OpenTerminal {
  const terminal = new Terminal({
    fontFamily: getComputedStyle(element).getPropertyValue("--mono"),
    fontSize: 13,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    screenReaderMode: true,
    scrollback: 5000,
    theme: THEME,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(element);
  fit.fit();
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(element);
  // The keyboard must have a way out: Tab belongs to the shell.
  terminal.attachCustomKeyEventHandler((event) => {
    const leaves = event.type === "keydown" && event.ctrlKey && event.shiftKey && event.key === "Escape";
    if (leaves) document.getElementById("main")?.focus();
    return !leaves;
  });
  return {
    terminal,
    dispose: () => {
      observer.disconnect();
      terminal.dispose();
    },
  };
}

/** Asks for a ticket and opens the connection it permits; settles once bytes can flow. `answered`: whether the node ever said anything. */
export async function connect(
  rental: string,
  { terminal }: OpenTerminal,
  onClose: (reason: string, answered: boolean) => void,
): Promise<Connection> {
  const ticket = await answer(api.POST("/v1/rentals/{id}/shells", { params: { path: { id: rental } } }));
  const address = new URL(ticket.url, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new TypeError("the shell did not open")), { once: true });
  });

  const bytes = new TextEncoder();
  const size = () => socket.send(JSON.stringify({ resize: { columns: terminal.cols, rows: terminal.rows } }));
  const listeners = [
    terminal.onData((text) => socket.readyState === WebSocket.OPEN && socket.send(bytes.encode(text))),
    terminal.onBinary((text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(Uint8Array.from(text, (char) => char.charCodeAt(0)));
    }),
    terminal.onResize(() => socket.readyState === WebSocket.OPEN && size()),
  ];
  let answered = false;
  socket.addEventListener("message", ({ data }) => {
    answered = true;
    terminal.write(typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer));
  });
  socket.addEventListener("close", ({ reason }) => {
    for (const listener of listeners) listener.dispose();
    onClose(reason, answered);
  });
  size();
  terminal.focus();
  return { close: () => socket.close(1000) };
}
