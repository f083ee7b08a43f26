import { Outlet } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Role } from '#contract/auth.ts'
import { languageOfPartner, showApplicationIn } from '../language.ts'
import { useFollowed } from '../shared/bulk-actions.ts'
import { isAtPartner, isTeam, mayCall } from '../shared/roles.ts'
import { useMediaQuery, useOnline } from '../ui/browser.ts'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { type Needed, PermissionContext } from '../ui/permissions.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { showTheme } from '../ui/theme.ts'
import { useMe, useRole } from './current.ts'
import { Drawer } from './Drawer.tsx'
import { Header } from './Header.tsx'
import { Offline } from './Offline.tsx'
import { OwnerNotice } from './OwnerNotice.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { SkipLink } from './SkipLink.tsx'
import { StepUp } from './StepUp.tsx'
import { useShortcuts } from './shortcuts.ts'

const AgreementNotice = lazyComponent(async () => (await import('./AgreementNotice.tsx')).AgreementNotice, {
  late: true,
})
const BulkActionEnds = lazyComponent(async () => (await import('./BulkActionEnds.tsx')).BulkActionEnds)
const Palette = lazyComponent(async () => (await import('./Palette.tsx')).Palette)
const ShortcutsDialog = lazyComponent(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)

/** Sidebar and header around the screen, for every screen after signing in. */
export function Shell() {
  const user = useMe()
  const role = useRole()
  const wide = useMediaQuery('(min-width: 992px)')
  const online = useOnline()
  const [opened, open] = useState<'palette' | 'shortcuts' | null>(null)
  const search = () => open('palette')
  const close = () => open(null)
  useChosenTheme(user.preferences.theme)
  useLanguageOf(role, user.preferences.language)
  useShortcuts(user, role, open)
  const may = useCallback((call: Needed) => mayCall(role, call), [role])
  return (
    <PermissionContext value={may}>
      <div className={styles.shell}>
        <SkipLink />
        {wide && <Sidebar role={role} user={user} className={styles.sidebar} full onSearch={search} />}
        <Header roles={user.roles} role={role} onShortcuts={() => open('shortcuts')}>
          {!wide && <Drawer role={role} user={user} onSearch={search} />}
        </Header>
        <main id="content" tabIndex={-1} className={styles.main}>
          {!online && <Offline />}
          {isTeam(role) && <OwnerNotice key={role.accountId} accountId={role.accountId} />}
          {isAtPartner(role) && (
            <AgreementNotice key={role.partnerId} accountId={role.accountId} partnerId={role.partnerId} />
          )}
          <Outlet />
        </main>
        <Toasts />
        {isTeam(role) && <Ends accountId={role.accountId} />}
        <PaletteSoon />
        <StepUp />
        {opened === 'palette' && <Palette onClose={close} onShortcuts={() => open('shortcuts')} />}
        {opened === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </div>
    </PermissionContext>
  )
}

/** Reports the ends of bulk actions; its code loads with the first of them. */
function Ends({ accountId }: { accountId: string }) {
  const { length } = useFollowed(accountId)
  const isUsed = useRef(false)
  isUsed.current ||= length > 0
  return isUsed.current && <BulkActionEnds accountId={accountId} />
}

/**
 * Loads the palette's code once the first screen is shown. A separate component, since what it waits for changes with
 * every read.
 */
function PaletteSoon() {
  Palette.usePrefetch()
  return null
}

/** Shows a partner's screens in their language; those of a team are English. */
function useLanguageOf(role: Role | undefined, preference: unknown) {
  const language = isAtPartner(role) ? languageOfPartner(preference) : 'en'
  useEffect(() => showApplicationIn(language), [language])
}

/** Applies the theme in the user's preferences, so that it is the same on every device. */
function useChosenTheme(theme: unknown) {
  useEffect(() => {
    if (theme === 'light' || theme === 'dark' || theme === 'system') showTheme(theme)
  }, [theme])
}
