import type { QueryClient } from '@tanstack/react-query'
import {
  type AsyncRouteComponent,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Opened, Reads } from '../calls.ts'
import { readsOfAccount, readsOfAccounts, readsOfNewAccount } from '../features/admin/queries.ts'
import { readsOfDashboard } from '../features/dashboard/queries.ts'
import { readsOfEmbedCode } from '../features/embed-code/queries.ts'
import { readsOfImports } from '../features/imports/queries.ts'
import { readsOfEditIncoming, readsOfIncoming, readsOfIncomingDetail } from '../features/incoming-webhooks/queries.ts'
import { readsOfLead, readsOfLeadDetail, readsOfLeads } from '../features/leads/queries.ts'
import { readsOfEditLink, readsOfLink, readsOfLinks, readsOfNewLink } from '../features/links/queries.ts'
import { readsOfMail } from '../features/mail/queries.ts'
import {
  readsOfEditWebhook,
  readsOfNewWebhook,
  readsOfWebhook,
  readsOfWebhooks,
} from '../features/outgoing-webhooks/queries.ts'
import { readsOfEditPartner, readsOfPartner, readsOfPartners } from '../features/partners/queries.ts'
import { readsOfProviderEvents, readsOfProviders } from '../features/payment-providers/queries.ts'
import { readsOfPayout, readsOfPayouts, readsOfReconciliation } from '../features/payouts/queries.ts'
import { readsOfProfile } from '../features/profile/queries.ts'
import { readsOfPushData } from '../features/push-data/queries.ts'
import { leadSales, readsOfNewSale, readsOfReceipt, readsOfSales } from '../features/sales/queries.ts'
import { readsOfAccountSettings, readsOfPartnerSettings } from '../features/settings/queries.ts'
import { readsOfSystem } from '../features/system/queries.ts'
import { readSession } from '../session.ts'
import { Loader } from '../shell/Loader.tsx'
import { readsOfGate } from '../shell/queries.ts'
import { Shell } from '../shell/Shell.tsx'
import { withinTwoMinutes } from '../ui/load-limit.ts'
import { carryRole } from './carry-role.ts'
import { goToFirstScreen, requireRole, requireUser } from './guards.ts'
import { loading } from './load.ts'
import { ScreensWithReceipts } from './receipts.tsx'
import { type Params, screenOf } from './screen-of.tsx'
import { Crashed, NotFound, Welcome } from './screens.tsx'
import { searchAt } from './searches.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFound })

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', beforeLoad: requireUser })

const oauth = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/$provider',
  component: lazyRouteComponent(
    () => withinTwoMinutes(import('../features/payment-providers/Connecting.tsx')),
    'Connecting',
  ),
})

const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', component: Shell })

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: goToFirstScreen,
  component: Welcome,
})

const gate = createRoute({
  getParentRoute: () => shell,
  id: 'of-account',
  component: ScreensWithReceipts,
  loader: loading(readsOfGate),
  // A user who can hover over a link of an account has passed its gate already.
  preload: false,
})

const both = requireRole('account-owner', 'partner')
const owner = requireRole('account-owner')
const partner = requireRole('partner')
const admin = requireRole('admin')

/** A screen of an account, behind its gate. Its `reads` start while its code is loading. */
const ofAccount = <const P extends string>(
  path: P,
  beforeLoad: typeof both,
  screen: AsyncRouteComponent<Params<P>>,
  reads: (opened: Opened<Params<P>>) => Reads = () => [],
) =>
  createRoute({
    getParentRoute: () => gate,
    path,
    beforeLoad,
    validateSearch: searchAt(path),
    component: screenOf<P>(screen),
    loader: loading(reads),
  })

/** A screen in the shell, outside any account. */
const inShell = <const P extends string>(
  path: P,
  beforeLoad: typeof both | undefined,
  screen: AsyncRouteComponent<Params<P>>,
  reads: (opened: Opened<Params<P>>) => Reads = () => [],
) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    beforeLoad,
    validateSearch: searchAt(path),
    component: screenOf<P>(screen),
    loader: loading(reads),
  })

/** An address that redirects to another. */
const leadsTo = <const P extends string>(
  path: P,
  to: '/user/profile' | '/account/settings' | '/partner/settings' | '/admin/accounts',
) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true })
    },
  })

const Dashboard = lazyRouteComponent(() => withinTwoMinutes(import('../features/dashboard/Dashboard.tsx')), 'Dashboard')
const ImportData = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/imports/ImportData.tsx')),
  'ImportData',
)
const PartnerList = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/partners/PartnerList.tsx')),
  'PartnerList',
)
const NewPartner = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/partners/NewPartner.tsx')),
  'NewPartner',
)
const PartnerDetail = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/partners/PartnerDetail.tsx')),
  'PartnerDetail',
)
const EditPartner = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/partners/EditPartner.tsx')),
  'EditPartner',
)
const Profile = lazyRouteComponent(() => withinTwoMinutes(import('../features/profile/Profile.tsx')), 'Profile')
const AccountList = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/admin/AccountList.tsx')),
  'AccountList',
)
const NewAccount = lazyRouteComponent(() => withinTwoMinutes(import('../features/admin/NewAccount.tsx')), 'NewAccount')
const AccountDetail = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/admin/AccountDetail.tsx')),
  'AccountDetail',
)

const MailScreen = lazyRouteComponent(() => withinTwoMinutes(import('../features/mail/MailScreen.tsx')), 'MailScreen')

const SystemScreen = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/system/SystemScreen.tsx')),
  'SystemScreen',
)

const Leads = lazyRouteComponent(() => withinTwoMinutes(import('./leads.tsx')), 'Leads')
const leadScreen = <N extends 'NewLead' | 'Lead' | 'EditLead' | 'NewSale'>(name: N) =>
  lazyRouteComponent(() => withinTwoMinutes(import('./lead.tsx')), name)
type OfLead = Opened<{ leadId: string }>
const readsOfLeadTabs = (opened: Opened): Reads => [...readsOfLeads(opened), ...readsOfSales(opened)]
const readsOfWholeLead = (opened: OfLead): Reads => [...readsOfLeadDetail(opened), leadSales(opened.params.leadId)]
const readsOfSaleOfLead = (opened: OfLead): Reads => [...readsOfLead(opened), ...readsOfNewSale(opened)]

const Payouts = lazyRouteComponent(() => withinTwoMinutes(import('../features/payouts/Payouts.tsx')), 'Payouts')
const PayoutDetail = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/payouts/PayoutDetail.tsx')),
  'PayoutDetail',
)
const ReceiptPage = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/sales/ReceiptPage.tsx')),
  'ReceiptPage',
)
const Reconciliation = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/payouts/Reconciliation.tsx')),
  'Reconciliation',
)
const AccountSettings = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/settings/AccountSettings.tsx')),
  'AccountSettings',
)
const PartnerSettings = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/settings/PartnerSettings.tsx')),
  'PartnerSettings',
)
const LinkList = lazyRouteComponent(() => withinTwoMinutes(import('../features/links/LinkList.tsx')), 'LinkList')
const NewLink = lazyRouteComponent(() => withinTwoMinutes(import('../features/links/NewLink.tsx')), 'NewLink')
const LinkDetail = lazyRouteComponent(() => withinTwoMinutes(import('../features/links/LinkDetail.tsx')), 'LinkDetail')
const EditLink = lazyRouteComponent(() => withinTwoMinutes(import('../features/links/EditLink.tsx')), 'EditLink')
const PaymentProviders = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/payment-providers/PaymentProviders.tsx')),
  'PaymentProviders',
)
const ProviderEvents = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/payment-providers/Events.tsx')),
  'ProviderEvents',
)
const EmbedCode = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/embed-code/EmbedCode.tsx')),
  'EmbedCode',
)
const PushData = lazyRouteComponent(() => withinTwoMinutes(import('../features/push-data/PushData.tsx')), 'PushData')
const IncomingList = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/incoming-webhooks/WebhookList.tsx')),
  'WebhookList',
)
const NewIncoming = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/incoming-webhooks/NewWebhook.tsx')),
  'NewWebhook',
)
const IncomingDetail = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/incoming-webhooks/WebhookDetail.tsx')),
  'WebhookDetail',
)
const EditIncoming = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/incoming-webhooks/EditWebhook.tsx')),
  'EditWebhook',
)
const WebhookList = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/outgoing-webhooks/WebhookList.tsx')),
  'WebhookList',
)
const NewWebhook = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/outgoing-webhooks/NewWebhook.tsx')),
  'NewWebhook',
)
const WebhookDetail = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/outgoing-webhooks/WebhookDetail.tsx')),
  'WebhookDetail',
)
const EditWebhook = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/outgoing-webhooks/EditWebhook.tsx')),
  'EditWebhook',
)

const HelpList = lazyRouteComponent(() => withinTwoMinutes(import('../features/help/Help.tsx')), 'HelpList')
const OneHelpPage = lazyRouteComponent(() => withinTwoMinutes(import('../features/help/Help.tsx')), 'OneHelpPage')

/** All addresses that need a sign-in, each with the roles that may open it. */
const tree = root.addChildren([
  signedIn.addChildren([
    oauth,
    shell.addChildren([
      home,
      leadsTo('/user', '/user/profile'),
      inShell('/user/profile', undefined, Profile, readsOfProfile),
      inShell('/help', undefined, HelpList),
      inShell('/help/$page', undefined, OneHelpPage),
      leadsTo('/admin', '/admin/accounts'),
      inShell('/admin/accounts', admin, AccountList, readsOfAccounts),
      inShell('/admin/accounts/new', admin, NewAccount, readsOfNewAccount),
      inShell('/admin/accounts/$accountId', admin, AccountDetail, readsOfAccount),
      inShell('/admin/mail', admin, MailScreen, readsOfMail),
      inShell('/admin/system', admin, SystemScreen, readsOfSystem),
      leadsTo('/account', '/account/settings'),
      leadsTo('/partner', '/partner/settings'),
      gate.addChildren([
        ofAccount('/dashboard', both, Dashboard, readsOfDashboard),
        ofAccount('/partners', both, PartnerList, readsOfPartners),
        ofAccount('/partners/new', both, NewPartner),
        ofAccount('/partners/$partnerId', both, PartnerDetail, readsOfPartner),
        ofAccount('/partners/$partnerId/update', both, EditPartner, readsOfEditPartner),
        ofAccount('/leads', both, Leads, readsOfLeadTabs),
        ofAccount('/leads/new', both, leadScreen('NewLead')),
        ofAccount('/leads/$leadId', both, leadScreen('Lead'), readsOfWholeLead),
        ofAccount('/leads/$leadId/update', owner, leadScreen('EditLead'), readsOfLead),
        ofAccount('/leads/$leadId/new-sale', owner, leadScreen('NewSale'), readsOfSaleOfLead),
        ofAccount('/links', owner, LinkList, readsOfLinks),
        ofAccount('/links/new', owner, NewLink, readsOfNewLink),
        ofAccount('/links/$blueprintId', owner, LinkDetail, readsOfLink),
        ofAccount('/links/$blueprintId/update', owner, EditLink, readsOfEditLink),
        ofAccount('/payouts', owner, Payouts, readsOfPayouts),
        ofAccount('/payouts/reconciliation', owner, Reconciliation, readsOfReconciliation),
        ofAccount('/payouts/$payoutId', owner, PayoutDetail, readsOfPayout),
        ofAccount('/commissions/$commissionId', both, ReceiptPage, readsOfReceipt),
        ofAccount('/account/settings', owner, AccountSettings, readsOfAccountSettings),
        ofAccount('/account/import', owner, ImportData, readsOfImports),
        ofAccount('/partner/settings', partner, PartnerSettings, readsOfPartnerSettings),
        ofAccount('/partner/payouts/$payoutId', partner, PayoutDetail, readsOfPayout),
        ofAccount('/integrations/payment-providers', owner, PaymentProviders, readsOfProviders),
        ofAccount('/integrations/payment-providers/$connectionId/events', owner, ProviderEvents, readsOfProviderEvents),
        ofAccount('/integrations/push-data', owner, PushData, readsOfPushData),
        ofAccount('/integrations/embed-code', owner, EmbedCode, readsOfEmbedCode),
        ofAccount('/integrations/outgoing-webhooks', owner, WebhookList, readsOfWebhooks),
        ofAccount('/integrations/outgoing-webhooks/new', owner, NewWebhook, readsOfNewWebhook),
        ofAccount('/integrations/outgoing-webhooks/$hookId', owner, WebhookDetail, readsOfWebhook),
        ofAccount('/integrations/outgoing-webhooks/$hookId/update', owner, EditWebhook, readsOfEditWebhook),
        ofAccount('/integrations/incoming-webhooks', owner, IncomingList, readsOfIncoming),
        ofAccount('/integrations/incoming-webhooks/new', owner, NewIncoming),
        ofAccount('/integrations/incoming-webhooks/$hookId', owner, IncomingDetail, readsOfIncomingDetail),
        ofAccount('/integrations/incoming-webhooks/$hookId/update', owner, EditIncoming, readsOfEditIncoming),
      ]),
    ]),
  ]),
])

export function makeRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree: tree,
    context: { queryClient },
    notFoundMode: 'root',
    // All search parameters are text.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString()
      return text && `?${text}`
    },
    defaultErrorComponent: Crashed,
    defaultPendingComponent: Loader,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    // Keeps links that the pointer only passes over from loading anything.
    defaultPreloadDelay: 150,
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
  carryRole(router)
  // Loads the first screen's code while the session's user is being read.
  if (readSession())
    for (const { routeId } of router.matchRoutes(router.latestLocation))
      (router.routesById[routeId as keyof typeof router.routesById].options.component as RouteComponent)?.preload?.()
  // A new heading takes the focus by itself; this handles screens that only change their content.
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) document.querySelector<HTMLElement>('h1')?.focus()
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
