import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changeGroup, deleteGroup, type Group, GroupChange, type GroupReward } from '#contract/groups.ts'
import { movePartners } from '#contract/partners.ts'
import { changeAccountTerms, changeGroupTerms, Terms } from '#contract/terms.ts'
import { useCall } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { PageLinks } from '../../shared/PageLinks.tsx'
import { programQuery } from '../../shared/queries.ts'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { useSaveTerms } from '../../shared/SaveTerms.tsx'
import { TermsFields } from '../../shared/TermsFields.tsx'
import { SavedVersion } from '../../shared/TermsHistory.tsx'
import { TermsSentences } from '../../shared/TermsSentences.tsx'
import { type TermsSubject, type TermsValue, useAccountTerms, useTerms } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { PageAddress } from '../../ui/Address.tsx'
import { defineDelete } from '../../ui/act.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { CheckboxField, TextField } from '../../ui/fields.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { goalWords } from '../../words/goals.ts'
import { groupWords } from '../../words/groups.ts'
import { rewardWords } from '../../words/rewards.ts'
import { toastWords } from '../../words/shell.ts'
import { FriendsOffer } from './FriendsOffer.tsx'
import { Goals } from './Goals.tsx'
import { NameFields } from './NameFields.tsx'
import { groupQuery } from './queries.ts'
import { RewardSentence } from './RewardSentence.tsx'

const list = { to: '/partners', search: { tab: 'groups' } } as const
const toGroups = <Link {...list}>{groupWords.tab}</Link>

const addPartners = lateAct(async () => (await import('./AddPartners.tsx')).AddPartners, {
  label: groupWords.addPartners,
  needs: movePartners,
})

/** A group: its names, its terms, and the way to its partners. */
export const GroupDetail = ({ groupId }: { groupId: string }) => (
  <ThingPage
    query={groupQuery(groupId)}
    heading={groupWords.label}
    shape="form"
    parent={toGroups}
    gone={groupWords.gone}
  >
    {(group) => <Detail key={group.id} group={group} />}
  </ThingPage>
)

function Detail({ group }: { group: Group }) {
  const { id, accountId, name, kind, isDefault, partners } = group
  const isOfCustomers = kind === 'customers'
  return (
    <Page
      heading={name}
      parent={toGroups}
      actions={
        <>
          {!isDefault && <ActButton look="remove" act={Deletion} of={group} />}
          {!isOfCustomers && <ActButton act={addPartners} of={{ accountId, groupId: id }} />}
        </>
      }
    >
      <GroupForm group={group} />
      {isOfCustomers && <FriendsOffer group={group} />}
      <Goals group={group} />
      <Panel heading={isOfCustomers ? rewardWords.kinds.customers : fieldWords.partners}>
        <div className="inset stack">
          {partners === 0 && (
            <p className="muted">{isOfCustomers ? rewardWords.noneReferring : groupWords.noPartners}</p>
          )}
          {partners > 0 && (
            <div className="row">
              <LinkButton to="/partners" search={{ tab: isOfCustomers ? kind : undefined, groupId: id }}>
                {isOfCustomers
                  ? rewardWords.showCustomers({ count: partners })
                  : groupWords.showPartners({ count: partners })}
              </LinkButton>
            </div>
          )}
        </div>
      </Panel>
    </Page>
  )
}

const WithTerms = GroupChange.extend({ terms: Terms.nullable() })

function GroupForm({ group }: { group: Group }) {
  const may = usePermission()
  const account = useOwnAccount()
  const inherited = useAccountTerms(account)
  const { id, isDefault, partners, commissionSettings } = group
  const subject: TermsSubject = { of: 'group', id }
  const { answer, own } = useTerms(subject, commissionSettings)
  const valuesOf = ({ name, publicName, translations, joinSlug, automatic }: Group) => ({
    name,
    translations,
    automatic,
    publicName: publicName ?? '',
    joinSlug: joinSlug ?? '',
  })
  const programUrl = useQuery(programQuery(account.id)).data?.url ?? null
  const form = useContractForm(WithTerms, { initial: { ...valuesOf(group), terms: own as TermsValue | null } })
  const save = useCall(changeGroup, { onSuccess: saved })
  const terms = useSaveTerms({
    accountId: account.id,
    subject,
    state: answer.data,
    hasCustomers: partners > 0,
    rest: save,
  })
  const typedTerms = Terms.safeParse(form.values.terms).data
  function saved(group: Group) {
    form.saved({ ...form.values, ...valuesOf(group) })
    showToast(toastWords.saved({ resource: groupWords.resource }))
  }
  const version = <SavedVersion subject={subject} account={account} onUse={(used) => form.set({ terms: used })} />
  return (
    <>
      <Form
        form={form}
        save={terms.save}
        label={groupWords.label}
        onSubmit={(_, changes) =>
          terms.submit(
            changes,
            (body) => save.mutate({ params: { id }, body }),
            () => saved(group),
          )
        }
      >
        {group.reward && <RewardSentence groupId={id} reward={group.reward} terms={typedTerms ?? own ?? inherited} />}
        <OnlyRead needs={changeGroup}>
          <FormPanel
            heading={groupWords.label}
            aside={programUrl && group.joinSlug && <PageLinks url={`${programUrl}/${group.joinSlug}`} />}
          >
            <NameFields form={form} kind={group.kind} account={account} />
            <TextField
              {...form.field('joinSlug', groupWords.joinSlug)}
              autoCapitalize="none"
              spellCheck={false}
              optional
              help={addressHelp(programUrl, form.values.joinSlug, group.reward ? rewardWords : groupWords)}
            />
          </FormPanel>
          {group.reward && (
            <FormPanel heading={rewardWords.reward}>
              <p>{rewardInWords(group.reward, account.defaultCurrency)}</p>
              <CheckboxField {...form.field('automatic', rewardWords.automatic)} help={rewardWords.automaticHelp} />
            </FormPanel>
          )}
        </OnlyRead>
        <FormPanel heading={groupWords.terms}>
          {isDefault ? (
            <>
              <TermsSentences terms={inherited} currency={account.defaultCurrency} note={groupWords.defaultTerms} />
              <div>
                <LinkButton needs={changeAccountTerms} to="/account/settings" search={{ tab: 'commission' }}>
                  {groupWords.editAccountTerms}
                </LinkButton>
              </div>
            </>
          ) : !answer.data ? (
            <Pending answer={answer} rows={6} />
          ) : !may(changeGroupTerms) ? (
            <>
              <TermsSentences terms={own ?? inherited} currency={account.defaultCurrency} />
              {version}
            </>
          ) : (
            <TermsFields
              form={form}
              inherited={inherited}
              account={{ ...account, reward: group.reward }}
              labels={groupWords.choices}
              effect={
                <>
                  <RatesEffect accountId={account.id} subject={subject} saved={own} typed={form.values.terms} />
                  {version}
                </>
              }
            />
          )}
        </FormPanel>
        {may(changeGroup) && <FormActions submit={formWords.saveChanges} cancel={() => form.restart(form.initial)} />}
      </Form>
      {terms.dialog}
    </>
  )
}

const rewardInWords = (reward: GroupReward, currency: string) =>
  reward.as === 'units'
    ? rewardWords.units({ units: reward.unitName, value: formatMoney(reward.unitValue, currency) })
    : rewardWords[reward.as]

/** The whole address as typed; without a program page, the reason that there is none yet. */
const addressHelp = (
  programUrl: string | null,
  slug: string,
  words: Pick<typeof rewardWords, 'joinSlugHelp' | 'joinSlugWaits'>,
) =>
  programUrl === null ? (
    words.joinSlugWaits
  ) : (
    <>
      {slug && (
        <>
          <PageAddress>{`${programUrl}/${slug}`}</PageAddress>
          {' · '}
        </>
      )}
      {words.joinSlugHelp}
    </>
  )

const Deletion = defineDelete(deleteGroup, ({ name }: Group) => ({
  name,
  resource: groupWords.resource,
  thing: groupWords.thing,
  list,
  also: goalWords.deletedToo,
}))
