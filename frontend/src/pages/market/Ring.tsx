// How much of a round has passed.

const RADIUS = 15;
const AROUND = 2 * Math.PI * RADIUS;

export function Ring({ share }: { share: number }) {
  const passed = Math.min(1, Math.max(0, share));
  return (
    <svg width={38} height={38} viewBox="0 0 38 38" aria-hidden>
      <circle cx={19} cy={19} r={RADIUS} fill="none" stroke="var(--line)" strokeWidth={4} />
      <circle
        cx={19}
        cy={19}
        r={RADIUS}
        fill="none"
        stroke="var(--accent-ink)"
        strokeWidth={4}
        strokeLinecap="round"
        strokeDasharray={AROUND}
        strokeDashoffset={AROUND * (1 - passed)}
        transform="rotate(-90 19 19)"
        style={{ transition: "stroke-dashoffset 0.9s linear" }}
      />
    </svg>
  );
}
