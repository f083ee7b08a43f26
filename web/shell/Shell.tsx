import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMediaQuery, useOnline } from '../ui/browser.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { showTheme } from '../ui/theme.ts'
import { t } from '../words.ts'
import { useMe, useRole } from './current.ts'
import { Drawer } from './Drawer.tsx'
import { Header } from './Header.tsx'
import { Offline } from './Offline.tsx'
import { OwnerNotice } from './OwnerNotice.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'

/** Sidebar, header and the place of the screen: what every screen after signing in stands in. */
export function Shell() {
  const user = useMe()
  const role = useRole()
  const wide = useMediaQuery('(min-width: 992px)')
  const online = useOnline()
  useChosenTheme(user.preferences.theme)
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      {wide && <Sidebar role={role} user={user} className={styles.sidebar} full />}
      <Header roles={user.roles} role={role}>
        {!wide && <Drawer role={role} user={user} />}
      </Header>
      <main id="content" tabIndex={-1} className={styles.main}>
        {!online && <Offline />}
        {role?.type === 'account-owner' && <OwnerNotice key={role.accountId} accountId={role.accountId} />}
        <Outlet />
      </main>
      <Toasts />
    </div>
  )
}

/** Follows the theme kept in the user's preferences, so that it is the same on every device. */
function useChosenTheme(theme: unknown) {
  useEffect(() => {
    if (theme === 'light' || theme === 'dark' || theme === 'system') showTheme(theme)
  }, [theme])
}
