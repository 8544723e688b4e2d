// The mark: the eight-pointed star of a market's tiles around a die.

export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <g fill="var(--accent-ink)">
        <rect x="6" y="6" width="20" height="20" rx="1.5" />
        <rect x="6" y="6" width="20" height="20" rx="1.5" transform="rotate(45 16 16)" />
      </g>
      <rect x="11" y="11" width="10" height="10" rx="1" fill="var(--card)" />
      <rect x="13.5" y="13.5" width="5" height="5" rx="0.5" fill="var(--accent-ink)" />
    </svg>
  );
}
