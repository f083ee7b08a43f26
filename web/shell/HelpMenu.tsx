import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Role } from '#contract/auth.ts'
import { aboutPage, firstDocsPage } from '../shared/docs.ts'
import { isAtPartner } from '../shared/roles.ts'
import { Button } from '../ui/Button.tsx'
import { InfoIcon } from '../ui/base-icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { pageWords, shellWords } from '../words/shell.ts'
import { accountQuery } from './queries.ts'
import styles from './Shell.module.css'

type Props = { role: Role | undefined; onShortcuts: () => void }

/** The docs about the open page and all of them, the keys, and whom to write to. */
export function HelpMenu({ role, onShortcuts }: Props) {
  const { pathname, search } = useLocation()
  const accountId = role && role.type !== 'admin' ? role.accountId : ''
  const { data: account } = useQuery({ ...accountQuery(accountId), enabled: accountId !== '' })
  const words = shellWords.help
  const email = account?.supportEmail
  return (
    <Menu
      label={pageWords.help}
      items={[
        { label: words.page, href: aboutPage(role?.type, pathname, (search as { tab?: string }).tab) },
        { label: words.docs, href: firstDocsPage(role?.type) },
        ...(isAtPartner(role) ? [] : [{ label: words.api, href: '/api/docs' }]),
        { label: words.shortcuts, run: onShortcuts },
        ...(email ? [{ label: words.support, href: `mailto:${email}` }] : []),
      ]}
      opener={(props) => (
        <Button {...props} look="quiet" icon={<InfoIcon size={16} />} className={styles.help}>
          {pageWords.help}
        </Button>
      )}
    />
  )
}
