import { Link } from '@tanstack/react-router'
import { createLinkBlueprint } from '#contract/links.ts'
import { useCall } from '../../calls.ts'
import { toRates } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { linkWords } from '../../words/links.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { LinkForm, useLeave } from './LinkForm.tsx'

export function NewLink() {
  const account = useOwnAccount()
  const leave = useLeave()
  const save = useCall(createLinkBlueprint, {
    onSuccess: ({ id }) => {
      showToast(toastWords.added({ resource: linkWords.resource }))
      return leave(id)
    },
  })
  const heading = pageWords.addLink
  return (
    <Page heading={heading} parent={<Link to="/links">{pageWords.links}</Link>}>
      <LinkForm
        heading={heading}
        submit={heading}
        linkKey={null}
        initial={{
          name: '',
          destinationUrl: '',
          parameterName: 'ref',
          cookieDays: 90,
          attributionModel: account.attributionModel,
          enabled: true,
          passthroughQuery: true,
          moreDomains: [],
          partnerLinks: true,
          utm: { source: '', medium: '', campaign: '', term: '', content: '' },
          terms: null,
        }}
        save={save}
        cancel={{ to: '/links' }}
        onSubmit={({ terms, ...body }) =>
          save.mutate({
            params: { id: account.id },
            body: { ...body, commissionSettings: toRates(terms) },
          })
        }
      />
    </Page>
  )
}
