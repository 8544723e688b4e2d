// The wire format of server-sent events, read from arbitrary pieces of text.

export interface ServerEvent {
  id: string | null;
  kind: string;
  data: string;
}

/** Feed it the text as it arrives; it hands on each event once its closing blank line is there. */
export function eventReader(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = "";
  let id: string | null = null;
  let kind = "message";
  let data: string[] = [];

  const line = (text: string): void => {
    if (text === "") {
      if (data.length > 0) onEvent({ id, kind, data: data.join("\n") });
      kind = "message";
      data = [];
      return;
    }
    if (text.startsWith(":")) return;
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "event") kind = value;
    else if (field === "data") data.push(value);
  };

  return (piece) => {
    rest += piece;
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (end === null) return;
      const text = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      line(text);
    }
  };
}
