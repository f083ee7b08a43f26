import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import {
  Amount,
  AmountEach,
  anyId,
  DateOnly,
  Id,
  Instant,
  listQuery,
  namedRanges,
  optionalText,
  pageSchema,
  RangeParams,
  reportDimensions,
  requiredText,
} from '#contract/values.ts'

/**
 * By what a report adds up. `source` is the host that visitors came from, `landing-path` the path they arrived at, both
 * with `country` and `device` those of the visit that brought the lead; `code` the first promotion code of the sale,
 * `lead-month` the month in which the lead came.
 */
export { reportDimensions }
export type ReportDimension = (typeof reportDimensions)[number]

/** Dimensions that only sales have: visits and leads are not counted by them. */
export const dimensionsOfSales: readonly ReportDimension[] = ['code', 'product']
/** Dimensions that visits have. */
export const dimensionsOfVisits: readonly ReportDimension[] = reportDimensions.filter(
  (dimension) => dimension !== 'lead-month' && !dimensionsOfSales.includes(dimension),
)

/** Kinds of a dimension that are kept for a day; the rest are added up as others. */
export const MOST_KINDS_A_DAY = 500

/** Rows of a report: of one value, of all without one, and of those beyond the kinds kept a day. */
export const reportKinds = ['value', 'none', 'others'] as const

const figures = {
  /** Null in dimensions that visits don't have. */
  clicks: z.int().nullable(),
  /** Null in dimensions that only sales have. */
  leads: z.int().nullable(),
  sales: z.int(),
  revenue: Amount,
  commission: Amount,
  profit: Amount,
  refunds: Amount,
  /** Sales per click. */
  conversion: z.number().nullable(),
  /** Commission per click, in minor units. */
  earningsPerClick: AmountEach.nullable(),
}

export const ReportRow = z
  .object({ kind: z.enum(reportKinds), value: z.string(), name: z.string().nullable(), ...figures })
  .meta({ id: 'ReportRow' })
export type ReportRow = z.infer<typeof ReportRow>

export const ReportTotals = z.object(figures).meta({ id: 'ReportTotals' })
export type ReportTotals = z.infer<typeof ReportTotals>

export const reportSorts = ['clicks', 'leads', 'sales', 'revenue', 'commission', 'profit', 'refunds', 'name'] as const

const by = z.enum(reportDimensions, `Use ${reportDimensions.join(', ')}`)
const narrowed = { partnerId: anyId, groupId: anyId }

/**
 * Revenue counts on the day of the sale and is less its refunds, which count on their own days, as in the statistics:
 * all rows together equal those of the same days, except by product: a sale of two products is in both rows. `capped`
 * if a day had more kinds than are kept; `waiting` are days not added up yet.
 */
export const listReport = endpoint('listReport', 'GET /accounts/:id/reports/:range', {
  tag: 'reports',
  summary: 'Report clicks, leads, sales and money by what brought them; the range is {from}..{to}',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  subject: 'account',
  params: RangeParams,
  query: listQuery({ by: by.default('partner'), ...narrowed }, reportSorts),
  reply: pageSchema(ReportRow).extend({
    by,
    currency: z.string(),
    startDate: DateOnly,
    endDate: DateOnly,
    totals: ReportTotals,
    capped: z.boolean(),
    waiting: z.int(),
  }),
})

export const downloadReport = csvEndpoint(listReport, { summary: 'Download a report', file: 'report' })

/** Payments in the months after a group of leads came. */
export const Cohort = z
  .object({
    month: z.string(),
    leads: z.int(),
    months: z.array(z.object({ month: z.string(), sales: z.int(), revenue: Amount, commission: Amount })),
  })
  .meta({ id: 'Cohort' })
export type Cohort = z.infer<typeof Cohort>

export const MOST_COHORT_MONTHS = 36

export const getCohorts = endpoint('getCohorts', 'GET /accounts/:id/reports/:range/cohorts', {
  tag: 'reports',
  summary: 'Report payments by the month in which the lead came; the range is {from}..{to}, in whole months',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  subject: 'account',
  params: RangeParams,
  reply: z.object({ currency: z.string(), cohorts: z.array(Cohort), waiting: z.int() }),
})

const sort = z
  .string()
  .max(100)
  .refine(
    (field) => (reportSorts as readonly string[]).includes(field.replace(/^-/, '')),
    `Sort by ${reportSorts.join(', ')}, or put - before one`,
  )

/** The contents of a saved report; `period` are its days when it is opened, `partnerId` is as in the query of a report. */
const shown = {
  by,
  period: z.enum(namedRanges, `Use ${namedRanges.join(', ')}`),
  sort,
  search: optionalText(200),
  partnerId: optionalText(2000),
}

export const reportFrequencies = ['week', 'month'] as const

/** `every`: it is mailed on Mondays, or on the first of a month, to the person who saved it. */
export const SavedReport = z
  .object({
    id: Id,
    accountId: Id,
    name: z.string(),
    ...shown,
    search: z.string().nullable(),
    partnerId: z.string().nullable(),
    every: z.enum(reportFrequencies).nullable(),
    savedBy: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'SavedReport' })
export type SavedReport = z.infer<typeof SavedReport>

const rhythm = z.enum(reportFrequencies, 'Use week or month').nullable()

const changed = { name: requiredText(100), ...shown, every: rhythm }

export const NewSavedReport = z
  .strictObject({
    ...changed,
    sort: sort.default('-revenue'),
    search: changed.search.default(null),
    partnerId: changed.partnerId.default(null),
    every: rhythm.default(null),
  })
  .meta({ id: 'NewSavedReport' })
export type NewSavedReport = z.infer<typeof NewSavedReport>

export const SavedReportChange = z.strictObject(changed).partial()
export type SavedReportChange = z.infer<typeof SavedReportChange>

/** Most saved reports of an account. */
export const MOST_SAVED_REPORTS = 100

export const listSavedReports = endpoint('listSavedReports', 'GET /accounts/:id/saved-reports', {
  summary: 'List saved reports',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}, ['name']),
  reply: pageSchema(SavedReport),
})

export const downloadSavedReports = csvEndpoint(listSavedReports, {
  summary: 'Download all saved reports',
  file: 'saved-reports',
})

export const createSavedReport = endpoint('createSavedReport', 'POST /accounts/:id/saved-reports', {
  summary: 'Save a report, and have it mailed each week or month',
  allow: rights.earnOrPay,
  limit: apiLimit,
  subject: 'account',
  body: NewSavedReport,
  status: 201,
  reply: SavedReport,
})

export const changeSavedReport = endpoint('changeSavedReport', 'PATCH /saved-reports/:id', {
  summary: 'Change a saved report; who changes how often it is mailed gets the mail from then on',
  allow: rights.earnOrPay,
  limit: apiLimit,
  subject: 'saved-report',
  body: SavedReportChange,
  reply: SavedReport,
})

export const deleteSavedReport = endpoint('deleteSavedReport', 'DELETE /saved-reports/:id', {
  summary: 'Delete a saved report',
  allow: rights.earnOrPay,
  limit: apiLimit,
  subject: 'saved-report',
  status: 204,
})

export const refusals = {
  too_many_saved_reports: ['invalid_state', 'An account can have at most {{max}} saved reports. Delete one first.'],
} as const satisfies Refusals

/** Its actions in the activity, each with its kind of object. */
export const recordedEvents = { 'account.report-saved': 'account', 'account.report-deleted': 'account' } as const

export const mailKinds = ['saved-report'] as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'payouts'

declare module '#contract/endpoint.ts' {
  interface Subjects {
    'saved-report': 'saved-reports'
  }
}
