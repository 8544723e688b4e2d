// Chooses the pool: side by side while they are few, a list when they are many.

import { SegmentedControl, Select } from "@mantine/core";
import type { Pool } from "@/api/types";

const FEW = 4;

interface Props {
  pools: Pool[];
  chosen: string;
  onChoose: (id: string) => void;
}

export function PoolPicker({ pools, chosen, onChoose }: Props) {
  const data = pools.map((pool) => ({ value: pool.id, label: pool.name }));
  return pools.length <= FEW ? (
    <SegmentedControl aria-label="Pool" data={data} value={chosen} onChange={onChoose} />
  ) : (
    <Select
      aria-label="Pool"
      data={data}
      value={chosen}
      onChange={(id) => id && onChoose(id)}
      searchable
      allowDeselect={false}
    />
  );
}
