import { Link } from '@tanstack/react-router'
import { t } from '../words.ts'
import styles from './HowItWorks.module.css'

type Props = {
  of: Exclude<keyof typeof import('../words/en-help.ts').howItWorksWords, 'heading'>
  /** The help page with the details. */
  page: keyof typeof import('../words/en-help.ts').helpWords.titles
}

/** The purpose of a screen in two sentences, and a link to read more. */
export function HowItWorks({ of, page }: Props) {
  return (
    <aside aria-label={t('howItWorks.heading')} className={styles.how}>
      {t(`howItWorks.${of}`)}{' '}
      <Link to="/help/$page" params={{ page }}>
        {t('howItWorks.heading')}
      </Link>
    </aside>
  )
}
