// The usage of a period as a CSV file, every field exactly as the server wrote it.

import { answer, api } from "@/api/client";
import type { Usage } from "@/api/types";
import { everyItem } from "@/queries/pages";
import type { Period } from "@/queries/wallet";

const FIELDS = [
  "id",
  "rental_id",
  "class_id",
  "devices",
  "price_per_gpu_hour",
  "starts_at",
  "ends_at",
  "milliseconds",
  "amount",
  "currency",
  "transfer_id",
] as const satisfies (keyof Usage)[];

export function usageCsv(lines: readonly Usage[]): string {
  const rows = lines.map((line) => FIELDS.map((field) => cell(line[field])).join(","));
  return `${[FIELDS.join(","), ...rows].join("\r\n")}\r\n`;
}

function cell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export async function exportUsage(period: Period): Promise<void> {
  const lines = await everyItem((cursor) =>
    answer(api.GET("/v1/usage", { params: { query: { ...period, cursor, limit: 200 } } })),
  );
  const address = URL.createObjectURL(new Blob([usageCsv(lines)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "souk-usage.csv";
  link.click();
  URL.revokeObjectURL(address);
}
