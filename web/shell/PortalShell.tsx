import { Link, Outlet } from '@tanstack/react-router'
import { isForInviting } from '../portal-session.ts'
import { useOnline } from '../ui/browser.ts'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { type Needed, PermissionContext } from '../ui/permissions.ts'
import tabs from '../ui/Tabs.module.css'
import { Toasts } from '../ui/Toasts.tsx'
import { newsWords } from '../words/announcements.ts'
import { assetWords } from '../words/assets.ts'
import { portalWords } from '../words/portal.ts'
import { pageWords } from '../words/shell.ts'
import { statsWords } from '../words/stats.ts'
import { termsWords } from '../words/terms.ts'
import { InPortal, usePartnerRole } from './current.ts'
import { Offline } from './Offline.tsx'
import styles from './PortalShell.module.css'
import { useOwnLogo } from './ProgramLogo.tsx'
import { SkipLink } from './SkipLink.tsx'

const AgreementNotice = lazyComponent(async () => (await import('./AgreementNotice.tsx')).AgreementNotice, {
  late: true,
})

const mayInPortal = ({ allow }: Needed) => allow.includes('portal')

/** Tabs above a partner's own screens, in the place of sidebar and header; none above the panel for inviting friends. */
export function PortalShell() {
  const role = usePartnerRole()
  const { accountId, partnerId } = role
  const logo = useOwnLogo(role)
  const online = useOnline()
  const invites = isForInviting()
  const money = { to: '/partners/$partnerId', params: { partnerId } } as const
  return (
    <InPortal value>
      <PermissionContext value={mayInPortal}>
        {!invites && <SkipLink />}
        {!invites && (
          <nav aria-label={portalWords.tabs} className={`screen-only ${tabs.tabs} ${styles.tabs}`}>
            {logo && <span className={styles.logo}>{logo}</span>}
            <Link to="/dashboard" activeOptions={{ exact: true, includeSearch: false }}>
              {pageWords.overview}
            </Link>
            <Link to="/links">{pageWords.links}</Link>
            <Link to="/leads">{pageWords.leads}</Link>
            <Link {...money} search={{ tab: 'commissions' }}>
              {pageWords.commissions}
            </Link>
            <Link {...money} search={{ tab: 'payouts' }}>
              {pageWords.payouts}
            </Link>
            <Link to={'/dashboard/figures' as '/dashboard'}>{statsWords.summary}</Link>
            <Link to="/dashboard/terms">{termsWords.whatYouEarn}</Link>
            <Link to="/dashboard/assets">{assetWords.tab}</Link>
            <Link to="/dashboard/news">{newsWords.heading}</Link>
          </nav>
        )}
        <main id="content" tabIndex={-1} className={styles.main}>
          {!online && <Offline />}
          {!invites && <AgreementNotice accountId={accountId} partnerId={partnerId} />}
          <Outlet />
        </main>
        <Toasts />
      </PermissionContext>
    </InPortal>
  )
}
