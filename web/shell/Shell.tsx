import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Role } from '#contract/auth.ts'
import { createPartner } from '#contract/partners.ts'
import { connectProvider } from '#contract/payment-providers.ts'
import { languageOfPartner, showApplicationIn } from '../language.ts'
import { useFollowed } from '../shared/bulk-actions.ts'
import { isAtPartner, isTeam, mayCall } from '../shared/roles.ts'
import { setPasswordPrompt } from '../step-up.ts'
import { useMediaQuery, useOnline } from '../ui/browser.ts'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Message } from '../ui/Message.tsx'
import { type Needed, PermissionContext, usePermission } from '../ui/permissions.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { showTheme } from '../ui/theme.ts'
import { shellWords } from '../words/shell.ts'
import { useMe, useRole } from './current.ts'
import { Drawer } from './Drawer.tsx'
import { Header } from './Header.tsx'
import { Offline } from './Offline.tsx'
import { accountQuery, accountStatsQuery, paymentProvidersQuery } from './queries.ts'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { SkipLink } from './SkipLink.tsx'
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
  const isPartner = isAtPartner(role)
  const { data: account } = useQuery({ ...accountQuery(isPartner ? role.accountId : ''), enabled: isPartner })
  const language = isPartner ? languageOfPartner(preference, account?.language) : 'en'
  useEffect(() => {
    if (language) showApplicationIn(language)
  }, [language])
}

/** Applies the theme in the user's preferences, so that it is the same on every device. */
function useChosenTheme(theme: unknown) {
  useEffect(() => {
    if (theme === 'light' || theme === 'dark' || theme === 'system') showTheme(theme)
  }, [theme])
}

/** The owner's next set-up step, one at a time, on every screen except its own. */
function OwnerNotice({ accountId }: { accountId: string }) {
  const { data: owned } = useQuery(accountQuery(accountId))
  const { data: connections } = useQuery(paymentProvidersQuery(accountId))
  const { data: stats } = useQuery(accountStatsQuery(accountId))
  const may = usePermission()
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/+$/, '') })
  if (!owned || owned.disabledAt || !connections) return null
  const setUp = connections.items.some(({ state }) => state !== 'disconnected')
  if (!setUp && may(connectProvider) && path !== '/integrations/payment-providers') {
    const link = <Link to="/integrations/payment-providers">{shellWords.notice.goToProviders}</Link>
    return <Notice text={shellWords.notice.provider} link={link} />
  }
  if (stats?.numberOfPartners === 0 && may(createPartner) && path !== '/partners/new') {
    return (
      <Notice text={shellWords.notice.partner} link={<Link to="/partners/new">{shellWords.notice.addPartner}</Link>} />
    )
  }
  return null
}

function Notice({ text, link }: { text: string; link: ReactNode }) {
  return (
    <section aria-label={shellWords.notice.region} className={`screen-only ${styles.notice}`}>
      <Message kind="info" action={link}>
        {text}
      </Message>
    </section>
  )
}

const ProofDialog = lazyComponent(async () => (await import('../shared/FreshProof.tsx')).ProofDialog)

type Question = { why: string; answer: (confirmed: boolean) => void }

/** Prompts for a proof when a call is refused for lack of a fresh one. */
function StepUp() {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    setPasswordPrompt((why) => new Promise((answer) => setQuestion({ why, answer })))
    return () => setPasswordPrompt(null)
  }, [])
  if (!question) return null
  const answer = (confirmed: boolean) => {
    setQuestion(null)
    question.answer(confirmed)
  }
  return <ProofDialog why={question.why} onAnswer={answer} />
}
