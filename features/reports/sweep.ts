import { ids } from '#contract/examples/objects.ts'
import { type FormRow, fixedField, requireFields, tooLong } from '#test/support/form-fields.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { AddThing, Limit, World } from '#test/support/sweep.ts'
import { MOST_COHORT_MONTHS, MOST_SAVED_REPORTS } from './contract.ts'
import { calls } from './examples.ts'

const save = ({ accountId, call }: World, body: object) => call('POST', `/accounts/${accountId}/saved-reports`, body)

export const things = {
  'saved-report': (world: World) => save(world, { name: world.text(60), by: 'partner', period: 'month-to-date' }),
} satisfies Record<string, AddThing>

export const shownThings = {
  savedReport: (world: World) => save(world, { name: 'Where leads come from', by: 'source', period: 'last-3-months' }),
} satisfies Record<string, AddThing>

const savedReport = () => ({
  name: 'Sources',
  by: 'source',
  period: 'month-to-date',
  sort: '-revenue',
  search: 'blog',
  partnerId: 'none',
  every: 'week',
})
export const bodies = { createSavedReport: savedReport, changeSavedReport: savedReport }

export const preparations = {
  async deleteSavedReport({ account, post }: Story) {
    const { id } = await post(`/accounts/${account.id}/saved-reports`, calls.createSavedReport.body)
    return { instead: { [ids.savedReport]: id } }
  },
} satisfies Record<string, Prepare>

export const requiredRights = {
  createSavedReport: 'earnOrPay',
  changeSavedReport: 'earnOrPay',
  deleteSavedReport: 'earnOrPay',
}
export const hiddenFromPartners = ['saved-report']
// the journey of reports reads them
export const notCompared = ['downloadReport', 'downloadSavedReports']

const ofReports = { role: 'owner', h1: 'Dashboard', title: 'Reports · Dashboard', isTab: true } as const
const tabs = ['Report', 'Cohorts', 'Saved reports']
export const screens: SweptScreen[] = [
  {
    ...ofReports,
    path: '/reports?by=source',
    buttons: ['Save report', 'Date range:', 'Download CSV'],
    labels: ['Search rows', 'By', 'Partner'],
    tabs,
    dialogs: { 'Save report': ['Report Name', 'Days', 'Email It to Me'] },
  },
  { ...ofReports, path: '/reports?tab=cohorts', buttons: ['Date range:'], tabs },
  {
    ...ofReports,
    path: '/reports?tab=saved',
    buttons: ['Download CSV'],
    labels: ['Search saved reports'],
    tabs,
    rows: { 'Where leads come from': ['Edit report', 'Delete report'] },
  },
]
export const emptyScreens: [path: string, h1: string][] = [
  ['/reports', 'Dashboard'],
  ['/reports?tab=cohorts', 'Dashboard'],
  ['/reports?tab=saved', 'Dashboard'],
]

export const forms: FormRow[] = [
  {
    name: 'report to save',
    who: 'owner',
    path: '/reports?by=source',
    h1: 'Dashboard',
    open: 'Save report',
    submit: 'Save report',
    fields: {
      'Report Name': fixedField(
        'name',
        '<b>שלום</b> =1+1 👩‍👩‍👧‍👦',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(100),
      ),
    },
    nothing: requireFields('Report Name'),
    said: 'Report saved',
  },
]

export const limits: Limit[] = [
  { table: 'have', row: ['saved reports', `${MOST_SAVED_REPORTS}`], refusals: ['too_many_saved_reports'] },
  { table: 'atOnce', row: ['months of a report by cohorts', `${MOST_COHORT_MONTHS}`], refusals: ['cohorts_too_long'] },
  { table: 'written', row: ['a saved report', 'createSavedReport'] },
]
