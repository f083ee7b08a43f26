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

/** A component of a module that loads with its screen. */
const screen = <M extends Record<string, unknown>, N extends keyof M & string>(load: () => Promise<M>, name: N) =>
  lazyRouteComponent(() => withinTwoMinutes(load()), name)

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFound })

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', beforeLoad: requireUser })

const oauth = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/$provider',
  component: screen(() => import('../features/payment-providers/Connecting.tsx'), 'Connecting'),
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

const Dashboard = screen(() => import('../features/dashboard/Dashboard.tsx'), 'Dashboard')
const ImportData = screen(() => import('../features/imports/ImportData.tsx'), 'ImportData')
const PartnerList = screen(() => import('../features/partners/PartnerList.tsx'), 'PartnerList')
const NewPartner = screen(() => import('../features/partners/NewPartner.tsx'), 'NewPartner')
const PartnerDetail = screen(() => import('../features/partners/PartnerDetail.tsx'), 'PartnerDetail')
const EditPartner = screen(() => import('../features/partners/EditPartner.tsx'), 'EditPartner')
const Profile = screen(() => import('../features/profile/Profile.tsx'), 'Profile')
const AccountList = screen(() => import('../features/admin/AccountList.tsx'), 'AccountList')
const NewAccount = screen(() => import('../features/admin/NewAccount.tsx'), 'NewAccount')
const AccountDetail = screen(() => import('../features/admin/AccountDetail.tsx'), 'AccountDetail')

const MailScreen = screen(() => import('../features/mail/MailScreen.tsx'), 'MailScreen')

const SystemScreen = screen(() => import('../features/system/SystemScreen.tsx'), 'SystemScreen')

const Leads = screen(() => import('./leads.tsx'), 'Leads')
const Lead = screen(() => import('./lead.tsx'), 'Lead')
const leadForm = <N extends 'NewLead' | 'EditLead' | 'NewSale'>(name: N) =>
  screen(() => import('./lead-forms.tsx'), name)
type OfLead = Opened<{ leadId: string }>
const readsOfLeadTabs = (opened: Opened): Reads => [...readsOfLeads(opened), ...readsOfSales(opened)]
const readsOfWholeLead = (opened: OfLead): Reads => [...readsOfLeadDetail(opened), leadSales(opened.params.leadId)]
const readsOfSaleOfLead = (opened: OfLead): Reads => [...readsOfLead(opened), ...readsOfNewSale(opened)]

const Payouts = screen(() => import('../features/payouts/Payouts.tsx'), 'Payouts')
const PayoutDetail = screen(() => import('../features/payouts/PayoutDetail.tsx'), 'PayoutDetail')
const ReceiptPage = screen(() => import('../features/sales/ReceiptPage.tsx'), 'ReceiptPage')
const Reconciliation = screen(() => import('../features/payouts/Reconciliation.tsx'), 'Reconciliation')
const AccountSettings = screen(() => import('../features/settings/AccountSettings.tsx'), 'AccountSettings')
const PartnerSettings = screen(() => import('../features/settings/PartnerSettings.tsx'), 'PartnerSettings')
const LinkList = screen(() => import('../features/links/LinkList.tsx'), 'LinkList')
const NewLink = screen(() => import('../features/links/NewLink.tsx'), 'NewLink')
const LinkDetail = screen(() => import('../features/links/LinkDetail.tsx'), 'LinkDetail')
const EditLink = screen(() => import('../features/links/EditLink.tsx'), 'EditLink')
const PaymentProviders = screen(() => import('../features/payment-providers/PaymentProviders.tsx'), 'PaymentProviders')
const ProviderEvents = screen(() => import('../features/payment-providers/Events.tsx'), 'ProviderEvents')
const EmbedCode = screen(() => import('../features/embed-code/EmbedCode.tsx'), 'EmbedCode')
const PushData = screen(() => import('../features/push-data/PushData.tsx'), 'PushData')
const IncomingWebhookList = screen(
  () => import('../features/incoming-webhooks/IncomingWebhookList.tsx'),
  'IncomingWebhookList',
)
const AddIncomingWebhook = screen(
  () => import('../features/incoming-webhooks/AddIncomingWebhook.tsx'),
  'AddIncomingWebhook',
)
const IncomingWebhookDetail = screen(
  () => import('../features/incoming-webhooks/IncomingWebhookDetail.tsx'),
  'IncomingWebhookDetail',
)
const EditIncomingWebhook = screen(
  () => import('../features/incoming-webhooks/EditIncomingWebhook.tsx'),
  'EditIncomingWebhook',
)
const OutgoingWebhookList = screen(
  () => import('../features/outgoing-webhooks/OutgoingWebhookList.tsx'),
  'OutgoingWebhookList',
)
const AddOutgoingWebhook = screen(
  () => import('../features/outgoing-webhooks/AddOutgoingWebhook.tsx'),
  'AddOutgoingWebhook',
)
const OutgoingWebhookDetail = screen(
  () => import('../features/outgoing-webhooks/OutgoingWebhookDetail.tsx'),
  'OutgoingWebhookDetail',
)
const EditOutgoingWebhook = screen(
  () => import('../features/outgoing-webhooks/EditOutgoingWebhook.tsx'),
  'EditOutgoingWebhook',
)

/** All addresses that need a sign-in, each with the roles that may open it. */
const tree = root.addChildren([
  signedIn.addChildren([
    oauth,
    shell.addChildren([
      home,
      leadsTo('/user', '/user/profile'),
      inShell('/user/profile', undefined, Profile, readsOfProfile),
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
        ofAccount('/leads/new', both, leadForm('NewLead')),
        ofAccount('/leads/$leadId', both, Lead, readsOfWholeLead),
        ofAccount('/leads/$leadId/update', owner, leadForm('EditLead'), readsOfLead),
        ofAccount('/leads/$leadId/new-sale', owner, leadForm('NewSale'), readsOfSaleOfLead),
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
        ofAccount('/integrations/outgoing-webhooks', owner, OutgoingWebhookList, readsOfWebhooks),
        ofAccount('/integrations/outgoing-webhooks/new', owner, AddOutgoingWebhook, readsOfNewWebhook),
        ofAccount('/integrations/outgoing-webhooks/$hookId', owner, OutgoingWebhookDetail, readsOfWebhook),
        ofAccount('/integrations/outgoing-webhooks/$hookId/update', owner, EditOutgoingWebhook, readsOfEditWebhook),
        ofAccount('/integrations/incoming-webhooks', owner, IncomingWebhookList, readsOfIncoming),
        ofAccount('/integrations/incoming-webhooks/new', owner, AddIncomingWebhook),
        ofAccount('/integrations/incoming-webhooks/$hookId', owner, IncomingWebhookDetail, readsOfIncomingDetail),
        ofAccount('/integrations/incoming-webhooks/$hookId/update', owner, EditIncomingWebhook, readsOfEditIncoming),
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
