import { t } from '../words.ts'
import { DoneIcon } from './icons.tsx'
import styles from './YesOrNo.module.css'

/** In a list: what is so stands out, what is not is muted. */
export const YesOrNo = ({ yes }: { yes: boolean }) =>
  yes ? (
    <span className={styles.yes}>
      <DoneIcon size={14} /> {t('table.yes')}
    </span>
  ) : (
    <span className={styles.no}>{t('table.no')}</span>
  )
