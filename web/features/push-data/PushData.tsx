import type { Account } from '#contract/accounts.ts'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../words.ts'
import { useAccount } from '../../shell/current.ts'
import { ApiKey } from './ApiKey.tsx'
import { RequestLog } from './RequestLog.tsx'
import { Samples } from './Samples.tsx'

export function PushData() {
  const account = useAccount() as Account
  return (
    <Page heading={t('pages.pushData')}>
      <ApiKey account={account} />
      <Samples />
      <RequestLog account={account} />
    </Page>
  )
}
