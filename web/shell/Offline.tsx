import { OfflineIcon } from '../ui/icons.tsx'
import { basicWords } from '../words/basic.ts'
import styles from './Shell.module.css'

export function Offline() {
  return (
    <div role="status" className={styles.offline}>
      <OfflineIcon />
      {basicWords.states.offline}
    </div>
  )
}
