import { Link, type LinkProps } from '@tanstack/react-router'
import { t } from '../words.ts'
import styles from './Crumbs.module.css'
import { NextIcon } from './icons.tsx'

export type Crumb = { label: string } & Pick<LinkProps, 'to' | 'params' | 'search'>

/** The way to the page: links to what it belongs to, then its own name. */
export function Crumbs({ way, here }: { way: readonly Crumb[]; here: string }) {
  return (
    <nav aria-label={t('navigation.crumbs')}>
      <ol className={styles.crumbs}>
        {way.map(({ label, ...target }) => (
          <li key={label}>
            <Link {...target}>{label}</Link>
            <NextIcon size={14} />
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  )
}
