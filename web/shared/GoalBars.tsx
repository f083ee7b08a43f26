import { useQuery } from '@tanstack/react-query'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { partnerGoalsQuery, progressInWords } from './goals.ts'

type Props = { partnerId: string; currency: string; reader: 'owner' | 'partner'; className?: string }

/** A partner's progress toward each goal of their group; nothing without goals. */
export function GoalBars({ partnerId, currency, reader, className = '' }: Props) {
  const { data } = useQuery(partnerGoalsQuery(partnerId))
  if (!data || data.items.length === 0) return null
  return (
    <div className={`stack ${className}`}>
      {data.items.map((goal) => {
        const says = progressInWords(goal, currency, reader)
        return (
          <div key={goal.goalId} className="stack gap-1 wrap">
            <div>
              <strong>{goal.name}</strong>
              <div className="muted">{says}</div>
            </div>
            <ProgressBar label={goal.name} done={goal.percent} total={100} says={says} />
          </div>
        )
      })}
    </div>
  )
}
