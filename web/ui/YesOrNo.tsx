import { t } from '../words.ts'
import { DoneIcon } from './icons.tsx'
import styles from './YesOrNo.module.css'

type Props = {
  yes: boolean
  /** It is neither good nor bad to be so. */
  neutral?: boolean
}

/** In a list: what is so stands out, what is not is muted. */
export const YesOrNo = ({ yes, neutral }: Props) =>
  yes && neutral ? (
    t('table.yes')
  ) : yes ? (
    <span className={styles.yes}>
      <DoneIcon size={14} /> {t('table.yes')}
    </span>
  ) : (
    <span className={styles.no}>{t('table.no')}</span>
  )
