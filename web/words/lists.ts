import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The heads of columns that several lists have. */
export const columnWords = defineWords('column', 'partner', {
  copy: 'Copy link',
})

/** The words of every list. */
export const tableWords = defineWords('table', 'partner', {
  yes: 'Yes',
  no: 'No',
  ofPage: ({ page, name }: { page: Word; name: Word }) => `${page}: ${name}`,
  search: ({ plural }: { plural: Word }) => `Search ${plural}`,
  clearSearch: 'Clear search',
  columns: 'Columns',
  clearFilters: 'Clear filters',
  nonsense: 'This link has a filter or sort this list doesn’t support.',
  nothingMatches: ({ plural }: { plural: Word }) => `No ${plural} match this search or filter.`,
  noneMatches: ({ plural, search }: { plural: Word; search: Word }) => `No ${plural} match “${search}”.`,
  noneMatchesWith: ({ plural, search, filters }: { plural: Word; search: Word; filters: Word }) =>
    `No ${plural} match “${search}” with ${filters}.`,
  noneLeft: 'Nothing left here.',
  noneWith: ({ plural, filters }: { plural: Word; filters: Word }) => `No ${plural} with ${filters}.`,
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  shown: ({ from, to, total }: { from: Word; to: Word; total: Word }) => `${from}–${to} of ${total}`,
  duplicates: ({ count, total }: { count: number; total: Word }) =>
    formatPlural(
      count,
      '1 is a duplicate and isn’t counted in figures',
      `${total} are duplicates and aren’t counted in figures`,
    ),
  total: ({ count, total }: { count: number; total: Word }) =>
    formatPlural(count, `${formatNumber(count)} total`, `${total} total`),
  counted: {
    accounts: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} account`, `${total} accounts`),
    acts: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} change`, `${total} changes`),
    applications: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} application`, `${total} applications`),
    deliveries: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} delivery`, `${total} deliveries`),
    entries: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} entry`, `${total} entries`),
    events: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} event`, `${total} events`),
    groups: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} group`, `${total} groups`),
    items: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} item`, `${total} items`),
    leads: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} lead`, `${total} leads`),
    lines: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} line`, `${total} lines`),
    codes: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} code`, `${total} codes`),
    links: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} link`, `${total} links`),
    mails: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} email`, `${total} emails`),
    partners: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} partner`, `${total} partners`),
    payouts: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} payout`, `${total} payouts`),
    people: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} person`, `${total} people`),
    rates: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} rate`, `${total} rates`),
    sales: ({ count, total }: { count: number; total: Word }) => formatPlural(count, `${total} sale`, `${total} sales`),
    webhooks: ({ count, total }: { count: number; total: Word }) =>
      formatPlural(count, `${total} webhook`, `${total} webhooks`),
  },
  moreThan: '1,000+',
  downloadCsv: 'Download CSV',
  downloadCanceled: 'Download canceled',
  sortBy: 'Sort by',
  newestFirst: 'Newest',
  oldestFirst: 'Oldest',
  ascending: 'Ascending. Sort descending',
  descending: 'Descending. Sort ascending',
  actions: 'Actions',
  select: ({ name }: { name: Word }) => `Select ${name}`,
  selectPage: 'Select all on page',
  selected: ({ count }: { count: number }) => `${formatNumber(count)} selected`,
  clearSelection: 'Clear selection',
  selectMatching: ({ total }: { total: Word }) => `Select all ${total} matching`,
  selectAllMatching: 'Select all matching',
  selectFirst: ({ most }: { most: Word }) => `Select the first ${most} matching`,
  selecting: 'Selecting rows',
  mostSelected: ({ most }: { most: Word }) => `At most ${most} can be selected at once.`,
  selection: 'Selection',
  all: 'All',
  any: 'Any',
  gone: 'Not found',
  open: ({ name }: { name: Word }) => `Expand ${name}`,
  close: ({ name }: { name: Word }) => `Collapse ${name}`,
  showMore: 'Show more',
  showMoreBelow: ({ name }: { name: Word }) => `Show more below ${name}`,
  none: 'None',
})

/** The words of saved views. */
export const viewWords = defineWords('view', 'partner', {
  heading: 'Views',
  save: 'Save view',
  keep: 'Save',
  edit: 'Edit views',
  rename: 'Rename',
  renameHeading: 'Rename view',
  delete: 'Delete',
  renameNamed: ({ name }: { name: Word }) => `Rename ${name}`,
  deleteNamed: ({ name }: { name: Word }) => `Delete ${name}`,
  resource: 'View',
  taken: 'You already have a view with this name',
  full: 'There’s no room for another view. Delete one you no longer use.',
  columnsFull: 'Your columns weren’t saved. Delete a saved view to make room.',
  none: 'You have no saved views here.',
})

/** The words of ranges of dates. */
export const rangeWords = defineWords('range', 'partner', {
  button: ({ label }: { label: Word }) => `Date range: ${label}`,
  dialog: 'Date range',
  choices: 'Ranges',
  last7Days: 'Last 7 days',
  lastMonth: 'Last month',
  last3Months: 'Last 3 months',
  lastQuarter: 'Last quarter',
  last6Months: 'Last 6 months',
  lastYear: 'Last year',
  monthToDate: 'Month to date',
  quarterToDate: 'Quarter to date',
  yearToDate: 'Year to date',
  custom: 'Custom range',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  chooseEnd: 'Choose the last day',
  days: ({ count }: { count: number }) => formatPlural(count, `${count} day`, `${count} days`),
  by: { day: 'by day', week: 'by week', month: 'by month' },
})

/** The words of ranges of amounts. */
export const amountWords = defineWords('amount', 'partner', {
  dialog: 'Amount range',
  least: 'At least',
  most: 'At most',
  apply: 'Apply',
  clear: 'Clear',
  from: ({ amount }: { amount: Word }) => `From ${amount}`,
  upTo: ({ amount }: { amount: Word }) => `Up to ${amount}`,
  between: ({ from, to }: { from: Word; to: Word }) => `${from} – ${to}`,
})
