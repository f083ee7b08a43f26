import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Role } from '#contract/auth.ts'
import { signOut } from '../api.ts'
import { aboutPage, firstDocsPage } from '../shared/docs.ts'
import { inSwitcherOrder, isAtPartner, isTeam, sameRole } from '../shared/roles.ts'
import { Button } from '../ui/Button.tsx'
import { InfoIcon } from '../ui/base-icons.tsx'
import { AccountIcon, AdminIcon, DownIcon, SignOutIcon, UserIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { pageWords, shellWords } from '../words/shell.ts'
import { switcherLabel, useSwitchRole } from './current.ts'
import { ProgramLogo } from './ProgramLogo.tsx'
import { accountQuery } from './queries.ts'
import styles from './Shell.module.css'

type Props = { roles: Role[]; role: Role | undefined; onShortcuts: () => void; children?: ReactNode }

/** Under 992 px, `children` (the button of the navigation) and the logo's mark come first. */
export function Header({ roles, role, onShortcuts, children }: Props) {
  return (
    <header className={`row no-wrap gap-1 screen-only ${styles.header}`}>
      {children}
      {children && (
        <Link to="/" className="row">
          <ProgramLogo role={role} />
        </Link>
      )}
      {role && roles.length > 1 && <RoleSwitcher roles={roles} role={role} />}
      <div className="row no-wrap gap-0">
        <HelpMenu role={role} onShortcuts={onShortcuts} />
        <Button look="quiet" icon={<SignOutIcon size={16} />} onClick={signOut}>
          {shellWords.header.signOut}
        </Button>
      </div>
    </header>
  )
}

function RoleSwitcher({ roles, role }: { roles: Role[]; role: Role }) {
  const switchTo = useSwitchRole()
  const Icon = isTeam(role) ? AccountIcon : isAtPartner(role) ? UserIcon : AdminIcon
  const choices = inSwitcherOrder(roles, switcherLabel).map((choice) => ({
    key: JSON.stringify(choice),
    label: switcherLabel(choice),
    checked: sameRole(choice, role),
    run: () => switchTo(choice),
  }))
  return (
    <Menu
      label={shellWords.header.roles}
      items={choices}
      one
      start
      opener={(props) => (
        <button
          {...props}
          type="button"
          aria-label={shellWords.header.switchRole({ label: switcherLabel(role) })}
          className={`row no-wrap ${styles.switcher}`}
        >
          <Icon size={16} />
          <span className="ellipsis">{switcherLabel(role)}</span>
          <DownIcon size={16} />
        </button>
      )}
    />
  )
}

type HelpMenuProps = { role: Role | undefined; onShortcuts: () => void }

/** The docs about the open page and all of them, the keys, and whom to write to. */
function HelpMenu({ role, onShortcuts }: HelpMenuProps) {
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
