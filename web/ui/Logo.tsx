import { basicWords } from '../words/basic.ts'
import styles from './Logo.module.css'

const MARK = ['M6.4 8.2C15.2 8.2 16 13.4 16 24.9', 'M25.6 8.2C16.8 8.2 16 13.4 16 24.9']
const LETTERS =
  'M45 7.6v11.8a3.4 3.4 0 0 0 3.4 3.4h.9M42 12.3h7M52.9 12.3V23m0-5.6c0-3.4 2-5.4 5.2-5.2M61.9 12.3V23M67.3 6.4V23m0-5.35a5.35 5.35 0 1 1 10.7 0a5.35 5.35 0 1 1-10.7 0M82.3 12.3v5.9a4.7 4.7 0 0 0 9.4 0v-5.9M91.7 12.3V23M98.1 7.6v11.8a3.4 3.4 0 0 0 3.4 3.4h.9M95.1 12.3h7M106 17.65a5.35 5.35 0 1 1 10.7 0a5.35 5.35 0 1 1-10.7 0M116.7 12.3V23M121.8 12.3V23m0-5.6c0-3.4 2-5.4 5.2-5.2M129.6 12.3l4.9 10.6M139.4 12.3l-5.8 13.1c-.8 1.8-1.8 2.5-3.7 2.4'

/** The drawing of assets/tributary-logo.svg in the colors of the theme; without `full` only its mark. */
export function Logo({ full, height = 28 }: { full?: boolean; height?: number }) {
  const width = full ? 141 : 32
  return (
    <svg
      role="img"
      aria-label={basicWords.product}
      viewBox={`0 0 ${width} 32`}
      width={(width * height) / 32}
      height={height}
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect width="32" height="32" rx="8" className={styles.tile} />
      {MARK.map((stream) => (
        <path key={stream} d={stream} stroke="#FFFFFF" strokeWidth="3.5" />
      ))}
      {full && <path d={LETTERS} className={styles.letters} strokeWidth="2.4" />}
      {full && <circle cx="61.9" cy="7.8" r="1.65" className={styles.dot} />}
    </svg>
  )
}
