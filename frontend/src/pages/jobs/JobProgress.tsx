// How far a job is, with a mark where a private fair share would have brought it by now.

import type { Job } from "@/api/types";
import { Meter } from "@/design/Meter";
import { quantity, unitWord } from "./quantity";

export function JobProgress({ job }: { job: Job }) {
  return (
    <Meter
      part={Number(job.done)}
      whole={Number(job.work)}
      mark={Number(job.reference_done)}
      label={`${quantity(job.done)} of ${quantity(job.work)} ${unitWord(job.unit)}; reference ${quantity(job.reference_done)}`}
    />
  );
}
