import { OfflineIcon } from '../ui/icons.tsx'
import { t } from '../words.ts'
import styles from './Shell.module.css'

export function Offline() {
  return (
    <div role="status" className={styles.offline}>
      <OfflineIcon />
      {t('states.offline')}
    </div>
  )
}
