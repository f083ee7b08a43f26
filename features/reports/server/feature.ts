import { feature } from '#server/feature.ts'
import { eachNightInParts } from '#server/program/access/each-night.ts'
import { savedReport } from '../mail/saved-report.ts'
import { addUpAll, addUpByNight } from './add-up.ts'

export const reports = feature({
  mails: { 'saved-report': savedReport },
  clocks: {
    // a disabled account's visits are deleted too
    'add-up-reports': {
      cron: '0 * * * *',
      retryLimit: 3,
      run: eachNightInParts('add-up-reports', 2, addUpByNight, { whileDisabled: true }),
    },
  },
  afterErasure: [addUpAll],
})
