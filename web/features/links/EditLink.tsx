import { Link } from '@tanstack/react-router'
import { changeLinkBlueprint, type LinkBlueprint, type Utm } from '#contract/links.ts'
import { useCall } from '../../calls.ts'
import { useSaveTerms } from '../../shared/SaveTerms.tsx'
import { type TermsSubject, useTerms } from '../../shared/terms.ts'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formWords } from '../../words/forms.ts'
import { linkWords } from '../../words/links.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { LinkForm, useLeave } from './LinkForm.tsx'
import { OneLink } from './OneLink.tsx'

export const EditLink = ({ blueprintId }: { blueprintId: string }) => (
  <OneLink id={blueprintId} shape="form" heading={pageWords.editLink}>
    {(blueprint) => <Edit blueprint={blueprint} />}
  </OneLink>
)

function Edit({ blueprint }: { blueprint: LinkBlueprint }) {
  const { id, accountId, key, name, commissionSettings, stats } = blueprint
  const subject: TermsSubject = { of: 'link', id }
  const { answer, own } = useTerms(subject, commissionSettings)
  const leave = useLeave()
  function onSuccess() {
    showToast(toastWords.saved({ resource: linkWords.resource }))
    return leave(id)
  }
  const save = useCall(changeLinkBlueprint, { onSuccess })
  const terms = useSaveTerms({ accountId, subject, state: answer.data, hasCustomers: stats.leads > 0, rest: save })
  const heading = pageWords.editLink
  return (
    <Page
      heading={heading}
      parent={[
        <Link key="list" to="/links">
          {pageWords.links}
        </Link>,
        <Link key="link" to="/links/$blueprintId" params={{ blueprintId: id }}>
          {name}
        </Link>,
      ]}
    >
      <LinkForm
        heading={heading}
        submit={formWords.saveChanges}
        linkKey={key}
        subject={subject}
        saved={answer}
        initial={{ ...valuesOf(blueprint), terms: own }}
        save={terms.save}
        cancel={{ to: '/links/$blueprintId', params: { blueprintId: id } }}
        onSubmit={(_, changes) => terms.submit(changes, (body) => save.mutate({ params: { id }, body }), onSuccess)}
      />
      {terms.dialog}
    </Page>
  )
}

const valuesOf = (blueprint: LinkBlueprint) => ({
  name: blueprint.name,
  destinationUrl: blueprint.destinationUrl,
  parameterName: blueprint.parameterName,
  cookieDays: blueprint.cookieDays,
  attributionModel: blueprint.attributionModel,
  enabled: blueprint.enabled,
  passthroughQuery: blueprint.passthroughQuery,
  moreDomains: blueprint.moreDomains,
  partnerLinks: blueprint.partnerLinks,
  utm: textsOf(blueprint.utm),
})

const textsOf = (utm: Utm) => ({
  source: utm.source ?? '',
  medium: utm.medium ?? '',
  campaign: utm.campaign ?? '',
  term: utm.term ?? '',
  content: utm.content ?? '',
})
