import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { rights } from '#contract/endpoint.ts'
import { listParts } from '#contract/merge-parts.ts'
import { readsOfAnnouncements } from '#features/announcements/web/queries.ts'
import { readsOfMaterial } from '#features/assets/web/queries.ts'
import * as features from '#features/index.web.ts'
import { readsOfCustomers } from '#features/rewards/web/queries.ts'
import type { Opened, Reads } from '../calls.ts'
import { readsOfAccount, readsOfAccounts, readsOfNewAccount } from '../features/admin/queries.ts'
import { readsOfApplications, readsOfJoining } from '../features/applications/queries.ts'
import { readsOfAssets, readsOfDashboard, readsOfNews, readsOfTerms } from '../features/dashboard/queries.ts'
import { readsOfGroup, readsOfGroups } from '../features/groups/queries.ts'
import { readsOfImports } from '../features/imports/queries.ts'
import {
  readsOfAddIncoming,
  readsOfEditIncoming,
  readsOfIncoming,
  readsOfIncomingDetail,
} from '../features/incoming-webhooks/queries.ts'
import { readsOfLead, readsOfLeadDetail, readsOfLeads } from '../features/leads/queries.ts'
import { readsOfEditLink, readsOfLink, readsOfLinks, readsOfNewLink } from '../features/links/queries.ts'
import { readsOfMail } from '../features/mail/queries.ts'
import {
  readsOfEditWebhook,
  readsOfNewWebhook,
  readsOfWebhook,
  readsOfWebhooks,
} from '../features/outgoing-webhooks/queries.ts'
import { readsOfEditPartner, readsOfNewPartner, readsOfPartner, readsOfPartners } from '../features/partners/queries.ts'
import { readsOfProviderEvents, readsOfProviders } from '../features/payment-providers/queries.ts'
import {
  readsOfPaymentFile,
  readsOfPayout,
  readsOfPayouts,
  readsOfReconciliation,
} from '../features/payouts/queries.ts'
import { readsOfProfile } from '../features/profile/queries.ts'
import {
  leadSalesQuery,
  readsOfNewSale,
  readsOfNewSaleOfLead,
  readsOfReceipt,
  readsOfSales,
} from '../features/sales/queries.ts'
import { readsOfAccountSettings, readsOfPartnerSettings } from '../features/settings/queries.ts'
import { readsOfSystem } from '../features/system/queries.ts'
import { HOME, readSession } from '../session.ts'
import { readsOfLeadCounts } from '../shared/tab-counts.ts'
import { readsOfGate } from '../shell/queries.ts'
import { Shell } from '../shell/Shell.tsx'
import { carryRole } from './carry-role.ts'
import { redirectToFirstScreen, requireRole, requireUser } from './guards.ts'
import { createLoader } from './load.ts'
import { ScreensWithReceipts } from './receipts.tsx'
import { routerOptions, watchScreens } from './router-options.ts'
import { defineScreen, noReads, type Params, type Screen, screenRoute } from './screen-of.tsx'
import { NotFound, Welcome } from './screens.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFound })

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', beforeLoad: requireUser })

const oauth = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/$provider',
  component: defineScreen(() => import('../features/payment-providers/Connecting.tsx')).component,
})

const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', component: Shell })

const homeAt = <const P extends string>(path: P) =>
  createRoute({ getParentRoute: () => shell, path, beforeLoad: redirectToFirstScreen, component: Welcome })

const atRoot = homeAt('/')
const home = homeAt(HOME)

const gate = createRoute({
  getParentRoute: () => shell,
  id: 'of-account',
  component: ScreensWithReceipts,
  loader: createLoader(readsOfGate),
  // A user who can hover over a link of an account has passed its gate already.
  preload: false,
})

const both = requireRole(...rights.read, ...rights.partner)
const earningBoth = requireRole(...rights.earn, ...rights.partner)
const team = requireRole(...rights.read)
const earning = requireRole(...rights.earn)
const partner = requireRole(...rights.partner)
const admin = requireRole('admin')

/** A screen of an account, behind its gate. */
const ofAccount = <const P extends string>(path: P, beforeLoad: typeof both, screen: Screen<Params<P>>) =>
  createRoute({ getParentRoute: () => gate, ...screenRoute(path, beforeLoad, screen) })

type RouteOf<Declared> = Declared extends { path: infer Path extends string }
  ? ReturnType<typeof ofAccount<Path>>
  : never

const allowed = { team }

/** The screens of features. */
const declared = listParts(features, 'screens')
const screensOfFeatures = declared.map(({ path, allow, screen }) =>
  ofAccount<string>(path, allowed[allow], screen as Screen<object>),
) as unknown as RouteOf<(typeof declared)[number]>[]

/** A screen in the shell, outside any account. */
const inShell = <const P extends string>(path: P, beforeLoad: typeof both | undefined, screen: Screen<Params<P>>) =>
  createRoute({ getParentRoute: () => shell, ...screenRoute(path, beforeLoad, screen) })

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

const Dashboard = defineScreen(() => import('../features/dashboard/Dashboard.tsx'), readsOfDashboard)
const AllAssets = defineScreen(() => import('../features/dashboard/AllAssets.tsx'), readsOfAssets)
const AllNews = defineScreen(() => import('../features/dashboard/AllNews.tsx'), readsOfNews)
const AllTerms = defineScreen(() => import('../features/dashboard/AllTerms.tsx'), readsOfTerms)
const ImportData = defineScreen(() => import('../features/imports/ImportData.tsx'), readsOfImports)
const readsOfPartnerTabs = (opened: Opened): Reads => {
  const { tab } = opened.search
  if (tab === 'assets') return [...readsOfMaterial(opened), ...readsOfJoining(opened)]
  if (tab === 'announcements') return [...readsOfAnnouncements(opened), ...readsOfJoining(opened)]
  if (tab === 'customers') return [...readsOfCustomers(opened), ...readsOfJoining(opened)]
  const ofTab = tab === 'groups' ? readsOfGroups : tab === 'applications' ? readsOfApplications : readsOfPartners
  return [...ofTab(opened), ...readsOfJoining(opened)]
}
const Partners = defineScreen(() => import('./partners.tsx'), readsOfPartnerTabs)
const GroupDetail = defineScreen(() => import('../features/groups/GroupDetail.tsx'), readsOfGroup)
const NewPartner = defineScreen(() => import('../features/partners/NewPartner.tsx'), readsOfNewPartner)
const PartnerDetail = defineScreen(() => import('../features/partners/PartnerDetail.tsx'), readsOfPartner)
const EditPartner = defineScreen(() => import('../features/partners/EditPartner.tsx'), readsOfEditPartner)
const Profile = defineScreen(() => import('../features/profile/Profile.tsx'), readsOfProfile)
const AccountList = defineScreen(() => import('../features/admin/AccountList.tsx'), readsOfAccounts)
const NewAccount = defineScreen(() => import('../features/admin/NewAccount.tsx'), readsOfNewAccount)
const AccountDetail = defineScreen(() => import('../features/admin/AccountDetail.tsx'), readsOfAccount)
const MailScreen = defineScreen(() => import('../features/mail/MailScreen.tsx'), readsOfMail)
const SystemScreen = defineScreen(() => import('../features/system/SystemScreen.tsx'), readsOfSystem)

type OfLead = Opened<{ leadId: string }>
const readsOfLeadTabs = (opened: Opened): Reads => [
  ...[...readsOfLeads(opened), ...readsOfSales(opened)],
  ...readsOfLeadCounts(opened),
]
const readsOfWholeLead = (opened: OfLead): Reads => [...readsOfLeadDetail(opened), leadSalesQuery(opened.params.leadId)]
const readsOfSaleOfLead = (opened: OfLead): Reads => [...readsOfLead(opened), ...readsOfNewSaleOfLead(opened)]
const Leads = defineScreen(() => import('./leads.tsx'), readsOfLeadTabs)
const Lead = defineScreen(() => import('./lead.tsx'), readsOfWholeLead)
const NewLead = defineScreen(() => import('./lead-forms.tsx'), noReads, 'NewLead')
const EditLead = defineScreen(() => import('./lead-forms.tsx'), readsOfLead, 'EditLead')
const NewSale = defineScreen(() => import('../features/sales/NewSale.tsx'), readsOfNewSale, 'NewSale')
const NewSaleOfLead = defineScreen(() => import('../features/sales/NewSale.tsx'), readsOfSaleOfLead, 'NewSaleOfLead')

const Payouts = defineScreen(() => import('../features/payouts/Payouts.tsx'), readsOfPayouts)
const PayoutDetail = defineScreen(() => import('../features/payouts/PayoutDetail.tsx'), readsOfPayout)
const PaymentFile = defineScreen(() => import('../features/payouts/PaymentFileDetail.tsx'), readsOfPaymentFile)
const ReceiptPage = defineScreen(() => import('../features/sales/ReceiptPage.tsx'), readsOfReceipt, 'ReceiptPage')
const Reconciliation = defineScreen(() => import('../features/payouts/Reconciliation.tsx'), readsOfReconciliation)
const AccountSettings = defineScreen(() => import('../features/settings/AccountSettings.tsx'), readsOfAccountSettings)
const PartnerSettings = defineScreen(() => import('../features/settings/PartnerSettings.tsx'), readsOfPartnerSettings)
const LinkList = defineScreen(() => import('../features/links/LinkList.tsx'), readsOfLinks)
const NewLink = defineScreen(() => import('../features/links/NewLink.tsx'), readsOfNewLink)
const LinkDetail = defineScreen(() => import('../features/links/LinkDetail.tsx'), readsOfLink)
const EditLink = defineScreen(() => import('../features/links/EditLink.tsx'), readsOfEditLink)
const PaymentProviders = defineScreen(
  () => import('../features/payment-providers/PaymentProviders.tsx'),
  readsOfProviders,
)
const ProviderEvents = defineScreen(() => import('../features/payment-providers/Events.tsx'), readsOfProviderEvents)
const IncomingWebhookList = defineScreen(
  () => import('../features/incoming-webhooks/IncomingWebhookList.tsx'),
  readsOfIncoming,
)
const AddIncomingWebhook = defineScreen(
  () => import('../features/incoming-webhooks/AddIncomingWebhook.tsx'),
  readsOfAddIncoming,
)
const IncomingWebhookDetail = defineScreen(
  () => import('../features/incoming-webhooks/IncomingWebhookDetail.tsx'),
  readsOfIncomingDetail,
)
const EditIncomingWebhook = defineScreen(
  () => import('../features/incoming-webhooks/EditIncomingWebhook.tsx'),
  readsOfEditIncoming,
)
const OutgoingWebhookList = defineScreen(
  () => import('../features/outgoing-webhooks/OutgoingWebhookList.tsx'),
  readsOfWebhooks,
)
const AddOutgoingWebhook = defineScreen(
  () => import('../features/outgoing-webhooks/AddOutgoingWebhook.tsx'),
  readsOfNewWebhook,
)
const OutgoingWebhookDetail = defineScreen(
  () => import('../features/outgoing-webhooks/OutgoingWebhookDetail.tsx'),
  readsOfWebhook,
)
const EditOutgoingWebhook = defineScreen(
  () => import('../features/outgoing-webhooks/EditOutgoingWebhook.tsx'),
  readsOfEditWebhook,
)

/** All addresses that need a sign-in, each with the roles that may open it. */
const tree = root.addChildren([
  signedIn.addChildren([
    oauth,
    shell.addChildren([
      atRoot,
      home,
      leadsTo('/user', '/user/profile'),
      inShell('/user/profile', undefined, Profile),
      leadsTo('/admin', '/admin/accounts'),
      inShell('/admin/accounts', admin, AccountList),
      inShell('/admin/accounts/new', admin, NewAccount),
      inShell('/admin/accounts/$accountId', admin, AccountDetail),
      inShell('/admin/mail', admin, MailScreen),
      inShell('/admin/system', admin, SystemScreen),
      leadsTo('/account', '/account/settings'),
      leadsTo('/partner', '/partner/settings'),
      gate.addChildren([
        ...screensOfFeatures,
        ofAccount('/dashboard', both, Dashboard),
        ofAccount('/dashboard/assets', partner, AllAssets),
        ofAccount('/dashboard/news', partner, AllNews),
        ofAccount('/dashboard/terms', partner, AllTerms),
        ofAccount('/partners', both, Partners),
        ofAccount('/partners/new', earningBoth, NewPartner),
        ofAccount('/partners/groups/$groupId', team, GroupDetail),
        ofAccount('/partners/$partnerId', both, PartnerDetail),
        ofAccount('/partners/$partnerId/update', earningBoth, EditPartner),
        ofAccount('/leads', both, Leads),
        ofAccount('/leads/new', earningBoth, NewLead),
        ofAccount('/leads/new-sale', earning, NewSale),
        ofAccount('/leads/$leadId', both, Lead),
        ofAccount('/leads/$leadId/update', earning, EditLead),
        ofAccount('/leads/$leadId/new-sale', earning, NewSaleOfLead),
        ofAccount('/links', team, LinkList),
        ofAccount('/links/new', earning, NewLink),
        ofAccount('/links/$blueprintId', team, LinkDetail),
        ofAccount('/links/$blueprintId/update', earning, EditLink),
        ofAccount('/payouts', team, Payouts),
        ofAccount('/payouts/reconciliation', team, Reconciliation),
        ofAccount('/payouts/files/$fileId', team, PaymentFile),
        ofAccount('/payouts/$payoutId', team, PayoutDetail),
        ofAccount('/commissions/$commissionId', both, ReceiptPage),
        ofAccount('/account/settings', team, AccountSettings),
        ofAccount('/account/import', earning, ImportData),
        ofAccount('/partner/settings', partner, PartnerSettings),
        ofAccount('/partner/payouts/$payoutId', partner, PayoutDetail),
        ofAccount('/integrations/payment-providers', team, PaymentProviders),
        ofAccount('/integrations/payment-providers/$connectionId/events', team, ProviderEvents),
        ofAccount('/integrations/outgoing-webhooks', team, OutgoingWebhookList),
        ofAccount('/integrations/outgoing-webhooks/new', earning, AddOutgoingWebhook),
        ofAccount('/integrations/outgoing-webhooks/$hookId', team, OutgoingWebhookDetail),
        ofAccount('/integrations/outgoing-webhooks/$hookId/update', earning, EditOutgoingWebhook),
        ofAccount('/integrations/incoming-webhooks', team, IncomingWebhookList),
        ofAccount('/integrations/incoming-webhooks/new', earning, AddIncomingWebhook),
        ofAccount('/integrations/incoming-webhooks/$hookId', team, IncomingWebhookDetail),
        ofAccount('/integrations/incoming-webhooks/$hookId/update', earning, EditIncomingWebhook),
      ]),
    ]),
  ]),
])

export function makeRouter(queryClient: QueryClient) {
  const router = createRouter({ routeTree: tree, context: { queryClient }, ...routerOptions })
  carryRole(router)
  // Loads the first screen's code while the session's user is being read.
  if (readSession())
    for (const { routeId } of router.matchRoutes(router.latestLocation))
      (router.routesById[routeId as keyof typeof router.routesById].options.component as RouteComponent)?.preload?.()
  watchScreens(router)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
