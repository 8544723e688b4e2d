// Jobs as dots: progress across, rho up, the line at 1 that fairness promises. Colour and shape tell one's own.

import { useElementSize } from "@mantine/hooks";
import type { FairnessJob } from "@/api/types";
import { lagText, rhoText } from "@/market/fairness";
import { rhoScale } from "./rhoScale";
import classes from "./DotPlot.module.css";

const WIDTH_MIN = 280;
const HEIGHT = 300;
const LEFT = 44;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;

interface Props {
  jobs: FairnessJob[];
  isOwn: (job: FairnessJob) => boolean;
  nameOf: (job: FairnessJob) => string;
}

export function DotPlot({ jobs, isOwn, nameOf }: Props) {
  const { ref, width: measured } = useElementSize();
  const width = Math.max(WIDTH_MIN, measured);
  const shown = jobs.flatMap((job) => (job.rho === null ? [] : [{ job, rho: Number(job.rho) }]));
  const { low, high, lines } = rhoScale(shown.map(({ rho }) => rho));
  const x = (progress: number) => LEFT + progress * (width - LEFT - RIGHT);
  const y = (rho: number) => TOP + ((high - rho) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  return (
    <div ref={ref} className={classes.box}>
      <svg
        className={classes.plot}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Rho of ${shown.length} jobs against their progress. The table below lists each.`}
      >
        {lines.map((rho) => (
          <g key={rho}>
            <line className={classes.grid} x1={LEFT} x2={width - RIGHT} y1={y(rho)} y2={y(rho)} />
            <text x={LEFT - 8} y={y(rho) + 4} textAnchor="end">
              {rho.toFixed(1)}
            </text>
          </g>
        ))}
        {[0, 0.25, 0.5, 0.75, 1].map((progress) => (
          <text key={progress} x={x(progress)} y={HEIGHT - 12} textAnchor="middle">
            {progress * 100} %
          </text>
        ))}
        <rect className={classes.over} x={LEFT} width={width - LEFT - RIGHT} y={TOP} height={Math.max(0, y(1) - TOP)} />
        <line className={classes.one} x1={LEFT} x2={width - RIGHT} y1={y(1)} y2={y(1)} />
        <text className={classes.oneLabel} x={width - RIGHT} y={y(1) - 6} textAnchor="end">
          rho = 1
        </text>
        {shown.map(({ job, rho }) => {
          const own = isOwn(job);
          const [cx, cy] = [x(Number(job.progress)), y(rho)];
          const title = `${nameOf(job)}: rho ${rhoText(job.rho)}, lag ${lagText(job.lag_seconds)}, gang ${job.gang}`;
          return own ? (
            <rect key={job.demand} className={classes.own} x={cx - 6} y={cy - 6} width={12} height={12}>
              <title>{title}</title>
            </rect>
          ) : (
            <circle key={job.demand} className={classes.other} cx={cx} cy={cy} r={5}>
              <title>{title}</title>
            </circle>
          );
        })}
      </svg>
    </div>
  );
}
