export interface Fit {
  readonly slope: number
  /** The ends of the 95 % confidence interval of the slope. */
  readonly low: number
  readonly high: number
}

/** Two-sided 95 % quantiles of Student's t for 1, 2, … degrees of freedom. */
const T = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1]
const T_MANY = 2.09

/** A line through the points by least squares. Three points are the least. */
export function fit(points: readonly (readonly [x: number, y: number])[]): Fit {
  const count = points.length
  if (count < 3) return { slope: Number.NaN, low: Number.NaN, high: Number.NaN }
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / count
  const [meanX, meanY] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  const half = (T[count - 3] ?? T_MANY) * Math.sqrt(rest / (count - 2) / spread)
  return { slope, low: slope - half, high: slope + half }
}
