import type { ReactNode } from 'react'
import styles from './HistoryChart.module.css'

/** A chart's frame while there is nothing to draw: a figure, as the chart is one. */
export const ChartFrame = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <figure aria-label={heading} className={`panel ${styles.figure}`}>
    <div className={`row between ${styles.head}`}>
      <h2>{heading}</h2>
    </div>
    {children}
  </figure>
)
