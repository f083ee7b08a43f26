import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { PlayThrough } from '../../shared/PlayThrough.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { Page } from '../../ui/Page.tsx'
import { pageWords } from '../../words/shell.ts'
import { Keys } from './Keys.tsx'
import { PushSamples } from './PushSamples.tsx'
import { RequestLog } from './RequestLog.tsx'

export function PushData() {
  const account = useOwnAccount()
  return (
    <Page heading={pageWords.pushData} actions={<PlayThrough accountId={account.id} />}>
      <HowItWorks of="push-data" unused={account.apiKey === null} />
      <Keys account={account} />
      <PushSamples />
      <RequestLog account={account} />
    </Page>
  )
}
