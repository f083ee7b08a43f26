import { useInfiniteQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import {
  addPromotionCode,
  deletePromotionCode,
  NewPromotionCode,
  type PromotionCode,
} from '#features/promotion-codes/contract.ts'
import { promotionCodesQuery } from '../../shared/queries.ts'
import { defineDelete } from '../../ui/act.tsx'
import { exposeAction, useStart } from '../../ui/actions.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Failed } from '../../ui/Panel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'

/** The shop's discount codes that credit the partner, added and deleted here. */
export function PromotionCodes({ partner }: { partner: Partner }) {
  const answer = useInfiniteQuery(promotionCodesQuery(partner.id))
  const { error, refetch, isFetching } = answer
  const codes = answer.data?.pages.flatMap(({ items }) => items)
  const may = usePermission()
  const start = useStart()
  return (
    <>
      {error && !codes && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {codes && codes.length > 0 && (
        <ul aria-label={partnerWords.promotionCodes.heading} className="stack gap-1 inset">
          {codes.map((one) => (
            <li key={one.id} className="row">
              <code className="rest wrap">{one.code}</code>
              {may(deletePromotionCode) && (
                <IconButton
                  small
                  label={partnerWords.promotionCodes.delete({ code: one.code })}
                  icon={<CloseIcon size={16} />}
                  onClick={() => start(Delete, one)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {codes && (
        <div className="row inset">
          <ActButton small act={Add} of={partner} />
          {answer.hasNextPage && (
            <Button small busy={answer.isFetchingNextPage} onClick={() => answer.fetchNextPage()}>
              {partnerWords.promotionCodes.more}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

const Add = exposeAction(
  defineFormAction(addPromotionCode, NewPromotionCode, (_: Partner) => ({
    heading: partnerWords.promotionCodes.add,
    why: partnerWords.promotionCodes.why,
    done: partnerWords.promotionCodes.added,
    initial: { code: '' },
    fields: ({ field }) => <TextField {...field('code')} autoComplete="off" spellCheck={false} />,
  })),
  { label: partnerWords.promotionCodes.add },
)

const Delete = defineDelete(deletePromotionCode, ({ id, partnerId, code }: PromotionCode) => ({
  resource: fieldWords.promotionCode,
  name: code,
  send: { params: { id: partnerId, codeId: id } },
}))
