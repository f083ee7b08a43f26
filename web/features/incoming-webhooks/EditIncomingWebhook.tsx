import { Link } from '@tanstack/react-router'
import { Page } from '../../ui/Page.tsx'
import { formWords } from '../../words/forms.ts'
import { pageWords } from '../../words/shell.ts'
import { MappingForm } from './late-parts.ts'
import { OneIncomingWebhook, toIncomingWebhooks } from './OneIncomingWebhook.tsx'

export function EditIncomingWebhook({ hookId }: { hookId: string }) {
  const heading = pageWords.editIncomingWebhook
  const detail = { to: '/integrations/incoming-webhooks/$hookId', params: { hookId } } as const
  return (
    <OneIncomingWebhook id={hookId} shape="form" heading={heading}>
      {(webhook) => (
        <Page
          heading={heading}
          parent={[
            toIncomingWebhooks,
            <Link key="webhook" {...detail}>
              {webhook.name}
            </Link>,
          ]}
        >
          <MappingForm webhook={webhook} heading={heading} submit={formWords.saveChanges} cancel={detail} />
        </Page>
      )}
    </OneIncomingWebhook>
  )
}
