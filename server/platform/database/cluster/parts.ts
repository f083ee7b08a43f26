import type { Database, Queryable } from '../pool.ts'
import { isSpread } from './spread.ts'

// A part of a cluster is what one machine holds of some accounts: a shard of each spread table. Citus finds the shard for each
// statement, deparses the statement and plans it again for it, which costs ten times what a visit does. On that machine, a schema
// `part_N` has a view of each table that leads to the shard itself, so that PostgreSQL alone plans what is asked within it.
// `parts.hold(N)` keeps Citus from moving the part until the transaction ends, and refuses if it was moved already.

/** PostgreSQL's code for a part that this machine doesn't hold any more. */
const MOVED = 'TR001'
/** Codes of a part, or all of them, that were dropped for a migration. */
const DROPPED = ['3F000', '42883']

/** Whether a transaction failed at its beginning because the part isn't on its machine. */
export const isPartGone = (error: unknown) =>
  [MOVED, ...DROPPED].includes((error as { code?: string } | null)?.code ?? '')

/** Returns the statements that begin a transaction within a part, by the number of its shard of `partners`. */
export const statementsWithin = (part: string): string[] => [
  // one statement, as each is parsed and planned again
  `select set_config('search_path', 'part_${part}, public', true), parts.hold(${part})`,
]

/** Makes the parts that machines of the cluster hold and don't have yet. `db` owns the tables; without a cluster it does nothing. */
export async function prepareParts(db: Database): Promise<void> {
  if (await isSpread(db)) await onWorkers(db, DEFINE_AND_MAKE)
}

/** Makes the parts of this machine that it doesn't have yet, as after a move. */
export const makeParts = (db: Queryable): Promise<number> => db.run`select parts.make()`

/** Drops all parts, before tables change. Statements then go through Citus, until `prepareParts`. */
export const dropParts = (db: Database): Promise<void> => onWorkers(db, DROP)

async function onWorkers(db: Database, statement: string) {
  const failing = db.maybe<{ result: string }>`
    select result from run_command_on_workers(${statement}) where not success limit 1`
  const error = await failing.then(
    (row) => row?.result,
    (thrown: Error) => thrown.message,
  )
  if (error)
    db.log.warn({ error }, 'a machine of the cluster answers more slowly, since its parts could not be changed')
}

/** One change at a time on each machine, known to this machine alone. */
const BEGIN = `
  perform set_config('citus.enable_ddl_propagation', 'off', true), set_config('citus.override_table_visibility', 'off', true),
    pg_advisory_xact_lock(7281956);`

const DEFINE_AND_MAKE = `do $do$ begin ${BEGIN}
  create schema if not exists parts;
  create or replace function parts.hold(part bigint) returns void
    -- names with their schema instead of a path of its own, which would cost a visit a tenth
    language plpgsql security definer as $body$
    begin
      -- in share mode, like each write by Citus; a move takes it alone before it looks for the last changes
      perform pg_catalog.lock_shard_metadata(5, array[part]);
      if (select g.groupid from pg_catalog.pg_dist_local_group g) is distinct from
        (select p.groupid from pg_catalog.pg_dist_placement p where p.shardid operator(pg_catalog.=) part) then
        raise exception 'part % is not on this machine', part using errcode = '${MOVED}';
      end if;
    end $body$;
  create or replace function parts.make() returns void
    language plpgsql security definer set search_path = pg_catalog as $body$
    declare
      part record;
      one record;
    begin ${BEGIN}
      for part in
        select s.shardid, s.shardminvalue, 'part_' || s.shardid as name
        from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_local_group using (groupid)
        where s.logicalrelid = 'public.partners'::regclass
          -- one that was moved away lost its views with their tables, and may have come back
          and to_regclass('part_' || s.shardid || '.partners') is null
      loop
        execute format('create schema if not exists %I', part.name);
        for one in
          select c.relname as view, 'public.' || shard_name(c.oid, s.shardid) as shard,
            -- one machine alone doesn't write what is on every machine
            case when d.partmethod = 'n' then array['SELECT'] else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end as rights
          from pg_dist_partition d join pg_dist_shard s using (logicalrelid) join pg_class c on c.oid = d.logicalrelid
          where not c.relispartition and c.relnamespace = 'public'::regnamespace
            and (d.partmethod = 'n' and d.repmodel = 't' or d.partmethod = 'h' and s.shardminvalue = part.shardminvalue)
        loop
          execute format('create or replace view %I.%I as select * from %s', part.name, one.view, one.shard);
          execute coalesce((
            select string_agg(format('grant usage on schema %1$I to %2$s; grant %3$s on %1$I.%4$I to %2$s',
              part.name, grantee::regrole, privileges, one.view), ';')
            from (
              select a.grantee, string_agg(a.privilege_type, ', ') as privileges
              from pg_class t, aclexplode(t.relacl) a
              where t.oid = one.shard::regclass and a.grantee not in (0, t.relowner)
                and a.privilege_type = any(one.rights)
              group by a.grantee) g), 'select');
        end loop;
      end loop;
    end $body$;
  -- a machine without parts gets some later, and makes them itself
  execute coalesce((
    select string_agg(format('grant usage on schema parts to %s', a.grantee::regrole), ';')
    from pg_class t, aclexplode(t.relacl) a
    where t.oid = 'public.partners'::regclass and a.privilege_type = 'SELECT' and a.grantee not in (0, t.relowner)), 'select');
  perform parts.make();
end $do$`

const DROP = `do $do$ declare name text; begin ${BEGIN}
  for name in select nspname from pg_namespace where nspname ~ '^part_[0-9]+$' or nspname = 'parts' loop
    execute format('drop schema %I cascade', name);
  end loop;
end $do$`
