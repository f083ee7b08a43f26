import { feature } from '#server/feature.ts'
import { deleteOldRehearsals } from './queries.ts'

export const rehearsals = feature({ retention: [({ db }) => deleteOldRehearsals(db)] })
