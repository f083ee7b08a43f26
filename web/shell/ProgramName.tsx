import { t } from '../words.ts'
import { useAccount } from './current.ts'
import styles from './Shell.module.css'

/** Whose program it is: beside the heading of what a partner sees of it. */
export const ProgramName = () => (
  <span className={styles.program}>{t('header.program', { account: useAccount().displayName })}</span>
)
