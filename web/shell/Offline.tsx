import { OfflineIcon } from '../ui/icons.tsx'
import { basicWords } from '../words/basic.ts'
import styles from './Shell.module.css'

export function Offline() {
  return (
    <div role="status" className={`row gap-3 ${styles.offline}`}>
      <span className="warning">
        <OfflineIcon />
      </span>
      {basicWords.states.offline}
    </div>
  )
}
