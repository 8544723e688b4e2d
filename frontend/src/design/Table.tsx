// The data table of every list: a real table on wide screens, labelled blocks on narrow ones.

import type { ReactNode } from "react";
import classes from "./Table.module.css";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** The column that names the row: a row header, and the heading of its block on narrow screens. */
  main?: boolean;
  /** Left out of the table between narrow and wide, where room is short. */
  wideOnly?: boolean;
}

interface Props<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  selected?: (row: Row) => boolean;
}

export function Table<Row>({ caption, columns, rows, rowKey, selected }: Props<Row>) {
  return (
    <div className={classes.scroller}>
      <table className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align} data-wide={column.wideOnly || undefined}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-selected={selected?.(row) || undefined}>
              {columns.map((column) => {
                const Cell = column.main ? "th" : "td";
                return (
                  <Cell
                    key={column.key}
                    scope={column.main ? "row" : undefined}
                    data-align={column.align}
                    data-wide={column.wideOnly || undefined}
                    data-label={typeof column.header === "string" ? column.header : undefined}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
