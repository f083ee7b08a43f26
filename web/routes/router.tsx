import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { rights } from '#contract/endpoint.ts'
import type { Opened, Reads } from '../calls.ts'
import { readsOfAccount, readsOfAccounts, readsOfNewAccount } from '../features/admin/queries.ts'
import { readsOfAnnouncements } from '../features/announcements/queries.ts'
import { readsOfApplications, readsOfJoining } from '../features/applications/queries.ts'
import { readsOfMaterial } from '../features/assets/queries.ts'
import { readsOfClaim, readsOfClaims } from '../features/claims/queries.ts'
import { readsOfAssets, readsOfDashboard } from '../features/dashboard/queries.ts'
import { readsOfEmbedCode } from '../features/embed-code/queries.ts'
import { readsOfCases } from '../features/fraud-cases/queries.ts'
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
import { readsOfPromotionCodes } from '../features/partners/code-queries.ts'
import { readsOfEditPartner, readsOfNewPartner, readsOfPartner, readsOfPartners } from '../features/partners/queries.ts'
import { readsOfProviderEvents, readsOfProviders } from '../features/payment-providers/queries.ts'
import { readsOfPayout, readsOfPayouts, readsOfReconciliation } from '../features/payouts/queries.ts'
import { readsOfProfile } from '../features/profile/queries.ts'
import { readsOfPushData } from '../features/push-data/queries.ts'
import { readsOfReports } from '../features/reports/queries.ts'
import { leadSales, readsOfNewSale, readsOfReceipt, readsOfSales } from '../features/sales/queries.ts'
import { readsOfAccountSettings, readsOfPartnerSettings } from '../features/settings/queries.ts'
import { readsOfSystem } from '../features/system/queries.ts'
import { HOME, readSession } from '../session.ts'
import { readsOfGate } from '../shell/queries.ts'
import { Shell } from '../shell/Shell.tsx'
import { carryRole } from './carry-role.ts'
import { goToFirstScreen, requireRole, requireUser } from './guards.ts'
import { loading } from './load.ts'
import { ScreensWithReceipts } from './receipts.tsx'
import { routerOptions, watchScreens } from './router-options.ts'
import { at, nothing, type Params, type Screen, screen } from './screen-of.tsx'
import { NotFound, Welcome } from './screens.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFound })

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', beforeLoad: requireUser })

const oauth = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/$provider',
  component: screen(() => import('../features/payment-providers/Connecting.tsx')).component,
})

const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', component: Shell })

const homeAt = <const P extends string>(path: P) =>
  createRoute({ getParentRoute: () => shell, path, beforeLoad: goToFirstScreen, component: Welcome })

const atRoot = homeAt('/')
const home = homeAt(HOME)

const gate = createRoute({
  getParentRoute: () => shell,
  id: 'of-account',
  component: ScreensWithReceipts,
  loader: loading(readsOfGate),
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
  createRoute({ getParentRoute: () => gate, ...at(path, beforeLoad, screen) })

/** A screen in the shell, outside any account. */
const inShell = <const P extends string>(path: P, beforeLoad: typeof both | undefined, screen: Screen<Params<P>>) =>
  createRoute({ getParentRoute: () => shell, ...at(path, beforeLoad, screen) })

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

const Dashboard = screen(() => import('../features/dashboard/Dashboard.tsx'), readsOfDashboard)
const AllAssets = screen(() => import('../features/dashboard/AllAssets.tsx'), readsOfAssets)
const Reports = screen(() => import('../features/reports/Reports.tsx'), readsOfReports)
const ImportData = screen(() => import('../features/imports/ImportData.tsx'), readsOfImports)
const readsOfPartnerTabs = (opened: Opened): Reads => {
  const { tab } = opened.search
  if (tab === 'assets') return [...readsOfMaterial(opened), ...readsOfJoining(opened)]
  if (tab === 'announcements') return [...readsOfAnnouncements(opened), ...readsOfJoining(opened)]
  const ofTab = tab === 'groups' ? readsOfGroups : tab === 'applications' ? readsOfApplications : readsOfPartners
  return [...ofTab(opened), ...readsOfJoining(opened)]
}
const Partners = screen(() => import('./partners.tsx'), readsOfPartnerTabs)
const GroupDetail = screen(() => import('../features/groups/GroupDetail.tsx'), readsOfGroup)
const NewPartner = screen(() => import('../features/partners/NewPartner.tsx'), readsOfNewPartner)
const PartnerDetail = screen(() => import('../features/partners/PartnerDetail.tsx'), readsOfPartner)
const EditPartner = screen(() => import('../features/partners/EditPartner.tsx'), readsOfEditPartner)
const AllPromotionCodes = screen(() => import('../features/partners/AllPromotionCodes.tsx'), readsOfPromotionCodes)
const Profile = screen(() => import('../features/profile/Profile.tsx'), readsOfProfile)
const AccountList = screen(() => import('../features/admin/AccountList.tsx'), readsOfAccounts)
const NewAccount = screen(() => import('../features/admin/NewAccount.tsx'), readsOfNewAccount)
const AccountDetail = screen(() => import('../features/admin/AccountDetail.tsx'), readsOfAccount)
const MailScreen = screen(() => import('../features/mail/MailScreen.tsx'), readsOfMail)
const SystemScreen = screen(() => import('../features/system/SystemScreen.tsx'), readsOfSystem)

type OfLead = Opened<{ leadId: string }>
const readsOfLeadTabs = (opened: Opened): Reads => [...readsOfLeads(opened), ...readsOfSales(opened)]
const readsOfWholeLead = (opened: OfLead): Reads => [...readsOfLeadDetail(opened), leadSales(opened.params.leadId)]
const readsOfSaleOfLead = (opened: OfLead): Reads => [...readsOfLead(opened), ...readsOfNewSale(opened)]
const Leads = screen(() => import('./leads.tsx'), readsOfLeadTabs)
const Lead = screen(() => import('./lead.tsx'), readsOfWholeLead)
const NewLead = screen(() => import('./lead-forms.tsx'), nothing, 'NewLead')
const EditLead = screen(() => import('./lead-forms.tsx'), readsOfLead, 'EditLead')
const NewSale = screen(() => import('./lead-forms.tsx'), readsOfSaleOfLead, 'NewSale')

const Cases = screen(() => import('../features/fraud-cases/CaseList.tsx'), readsOfCases)
const ClaimList = screen(() => import('../features/claims/ClaimList.tsx'), readsOfClaims)
const ClaimDetail = screen(() => import('../features/claims/ClaimDetail.tsx'), readsOfClaim)

const Payouts = screen(() => import('../features/payouts/Payouts.tsx'), readsOfPayouts)
const PayoutDetail = screen(() => import('../features/payouts/PayoutDetail.tsx'), readsOfPayout)
const ReceiptPage = screen(() => import('../features/sales/ReceiptPage.tsx'), readsOfReceipt, 'ReceiptPage')
const Reconciliation = screen(() => import('../features/payouts/Reconciliation.tsx'), readsOfReconciliation)
const AccountSettings = screen(() => import('../features/settings/AccountSettings.tsx'), readsOfAccountSettings)
const PartnerSettings = screen(() => import('../features/settings/PartnerSettings.tsx'), readsOfPartnerSettings)
const LinkList = screen(() => import('../features/links/LinkList.tsx'), readsOfLinks)
const NewLink = screen(() => import('../features/links/NewLink.tsx'), readsOfNewLink)
const LinkDetail = screen(() => import('../features/links/LinkDetail.tsx'), readsOfLink)
const EditLink = screen(() => import('../features/links/EditLink.tsx'), readsOfEditLink)
const PaymentProviders = screen(() => import('../features/payment-providers/PaymentProviders.tsx'), readsOfProviders)
const ProviderEvents = screen(() => import('../features/payment-providers/Events.tsx'), readsOfProviderEvents)
const EmbedCode = screen(() => import('../features/embed-code/EmbedCode.tsx'), readsOfEmbedCode)
const PushData = screen(() => import('../features/push-data/PushData.tsx'), readsOfPushData)
const IncomingWebhookList = screen(
  () => import('../features/incoming-webhooks/IncomingWebhookList.tsx'),
  readsOfIncoming,
)
const AddIncomingWebhook = screen(
  () => import('../features/incoming-webhooks/AddIncomingWebhook.tsx'),
  readsOfAddIncoming,
)
const IncomingWebhookDetail = screen(
  () => import('../features/incoming-webhooks/IncomingWebhookDetail.tsx'),
  readsOfIncomingDetail,
)
const EditIncomingWebhook = screen(
  () => import('../features/incoming-webhooks/EditIncomingWebhook.tsx'),
  readsOfEditIncoming,
)
const OutgoingWebhookList = screen(
  () => import('../features/outgoing-webhooks/OutgoingWebhookList.tsx'),
  readsOfWebhooks,
)
const AddOutgoingWebhook = screen(
  () => import('../features/outgoing-webhooks/AddOutgoingWebhook.tsx'),
  readsOfNewWebhook,
)
const OutgoingWebhookDetail = screen(
  () => import('../features/outgoing-webhooks/OutgoingWebhookDetail.tsx'),
  readsOfWebhook,
)
const EditOutgoingWebhook = screen(
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
        ofAccount('/dashboard', both, Dashboard),
        ofAccount('/dashboard/assets', partner, AllAssets),
        ofAccount('/reports', team, Reports),
        ofAccount('/partners', both, Partners),
        ofAccount('/partners/new', earningBoth, NewPartner),
        ofAccount('/partners/groups/$groupId', team, GroupDetail),
        ofAccount('/partners/$partnerId', both, PartnerDetail),
        ofAccount('/partners/$partnerId/update', earningBoth, EditPartner),
        ofAccount('/promotion-codes', team, AllPromotionCodes),
        ofAccount('/leads', both, Leads),
        ofAccount('/leads/new', earningBoth, NewLead),
        ofAccount('/leads/$leadId', both, Lead),
        ofAccount('/leads/$leadId/update', earning, EditLead),
        ofAccount('/leads/$leadId/new-sale', earning, NewSale),
        ofAccount('/cases', team, Cases),
        ofAccount('/claims', team, ClaimList),
        ofAccount('/claims/$claimId', team, ClaimDetail),
        ofAccount('/links', team, LinkList),
        ofAccount('/links/new', earning, NewLink),
        ofAccount('/links/$blueprintId', team, LinkDetail),
        ofAccount('/links/$blueprintId/update', earning, EditLink),
        ofAccount('/payouts', team, Payouts),
        ofAccount('/payouts/reconciliation', team, Reconciliation),
        ofAccount('/payouts/$payoutId', team, PayoutDetail),
        ofAccount('/commissions/$commissionId', both, ReceiptPage),
        ofAccount('/account/settings', team, AccountSettings),
        ofAccount('/account/import', earning, ImportData),
        ofAccount('/partner/settings', partner, PartnerSettings),
        ofAccount('/partner/payouts/$payoutId', partner, PayoutDetail),
        ofAccount('/integrations/payment-providers', team, PaymentProviders),
        ofAccount('/integrations/payment-providers/$connectionId/events', team, ProviderEvents),
        ofAccount('/integrations/push-data', team, PushData),
        ofAccount('/integrations/embed-code', team, EmbedCode),
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
