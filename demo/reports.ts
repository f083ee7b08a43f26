import { createSavedReport } from '#features/reports/server/saved-reports.ts'
import { userAuthor } from '../server/platform/author.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today at which the reports were saved. */
const SAVED = 24

/** Plans two saved reports: one that is mailed each week, and one to open. */
export function planReports(story: Story, { id: accountId, owner }: Harbor) {
  const shown = { search: null, partnerId: null, sort: '-revenue' }
  story.course.at(toMoment(story, SAVED), async (tx) => {
    const save = (report: Pick<Parameters<typeof createSavedReport>[3], 'name' | 'by' | 'period' | 'every'>) =>
      createSavedReport(tx, userAuthor(owner), accountId, { ...shown, ...report })
    await save({ name: 'Where customers come from', by: 'source', period: 'last-3-months', every: 'week' })
    await save({ name: 'Landing pages this year', by: 'landing-path', period: 'year-to-date', every: null })
  })
}
