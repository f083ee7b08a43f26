import { useSlow } from '../ui/Panel.tsx'
import { basicWords } from '../words/basic.ts'
import styles from './Shell.module.css'

/** The centred loader, shown once waiting is noticeable. */
export function Loader() {
  const slow = useSlow()
  return (
    <div role="status" aria-label={basicWords.states.loading} className="centered alone">
      {slow && <div className={styles.loader} />}
    </div>
  )
}
