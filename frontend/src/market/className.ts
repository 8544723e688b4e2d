// What a device class is called: the model with its memory, or its MIG profile.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { deviceClassesQuery } from "@/queries/market";

interface Named {
  model: string;
  mig_profile: string | null;
  memory_mib: number;
}

export function className({ model, mig_profile, memory_mib }: Named): string {
  if (mig_profile !== null) return `${model} ${mig_profile}`;
  // A processor rented as a device has no memory of its own.
  return memory_mib < 1024 ? model : `${model} ${gigabytes(memory_mib)}`;
}

/** GPU memory as vendors name it: `80 GB` for 81,920 MiB. */
export function gigabytes(mib: number): string {
  const gib = mib / 1024;
  return `${Number.isInteger(gib) ? gib : gib.toFixed(1)} GB`;
}

/** The request that asks for one device of a class. */
export function gpuRequest({ model, mig_profile, memory_mib }: Named, count = 1): string {
  const kind = mig_profile ?? (memory_mib % 1024 === 0 ? `${memory_mib / 1024}GB` : null);
  return [model.replaceAll(" ", ""), kind, count].filter((token) => token !== null).join(":");
}

/** Names for class ids; one that is not known (yet) goes by `otherwise`, or by itself. */
export function useClassNames(): (classId: string, otherwise?: string) => string {
  const { data } = useQuery(deviceClassesQuery);
  const names = useMemo(() => new Map((data ?? []).map((one) => [one.id, className(one)])), [data]);
  return (classId, otherwise) => names.get(classId) ?? otherwise ?? classId;
}
