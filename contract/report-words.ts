import type { ReportDimension } from '#features/reports/contract.ts'
import { defineWords } from './words.ts'

/** The words of a report's rows, on screens and in mails. `report-in-words.ts` joins them. */
export const reportPhrases = defineWords('report-phrases', 'partner', {
  dimensions: {
    partner: 'Partner',
    group: 'Group',
    link: 'Link',
    'sub-id': 'Sub-ID',
    code: 'Promotion code',
    source: 'Source',
    'landing-path': 'Landing page',
    country: 'Country',
    device: 'Device',
    product: 'Product',
    'lead-month': 'Month of the lead',
  } satisfies Record<ReportDimension, string>,
  devices: { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' },
  others: 'All others',
  without: ({ dimension }: { dimension: string }) => `No ${dimension}`,
})
