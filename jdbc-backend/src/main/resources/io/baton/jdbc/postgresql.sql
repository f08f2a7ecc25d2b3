-- Baton's tables on PostgreSQL, version 1. Run it once in the schema that comes first in the clients' search path,
-- or let the clients do so. Times are milliseconds: c on the store's own clock, w on the server's.

create table if not exists baton_store (
    id smallint primary key check (id = 1),
    schema_version integer not null,
    generation bigint not null,
    history bigint not null,
    c bigint not null,
    w bigint not null,
    quiet_until bigint not null,
    max_ttl bigint not null
);

-- Which server began which history. Emptied by a crash and by a promotion, but not by an orderly restart.
create unlogged table if not exists baton_incarnation (
    history bigint primary key,
    server text not null
);

create table if not exists baton_session (
    sid varchar(64) collate "C" primary key,
    epoch bigint not null,
    ttl bigint not null,
    beat_c bigint not null,
    beat_w bigint not null,
    client text not null
);

create table if not exists baton_verdict (
    sid varchar(64) collate "C" not null references baton_session on delete cascade,
    n bigint not null,
    verdict boolean not null,
    primary key (sid, n)
);

-- The row with an empty path has the largest number of all lines that were deleted. No entry of a line has a token
-- below its head.
create table if not exists baton_line (
    path bytea primary key,
    seq bigint not null,
    head bigint not null default 0
);

create table if not exists baton_entry (
    path bytea not null,
    token bigint not null,
    name varchar(64) collate "C" not null unique,
    sid varchar(64) collate "C" not null references baton_session on delete cascade,
    mode smallint not null,
    permits integer not null,
    downgraded boolean not null,
    payload bytea not null,
    primary key (path, token)
);

create index if not exists baton_entry_sid on baton_entry (sid);

create table if not exists baton_tree (
    tree bytea primary key,
    rev bigint not null
);

create table if not exists baton_record (
    tree bytea not null,
    name bytea not null,
    value bytea not null,
    rev bigint not null,
    primary key (tree, name)
);

create table if not exists baton_change (
    tree bytea not null,
    rev bigint not null,
    prev bigint not null,
    name bytea not null,
    deleted boolean not null,
    value bytea not null,
    primary key (tree, rev, name)
);

-- Which sessions are sent changes of what: the head of a line (h), its entries (e), or a tree (t).
create table if not exists baton_follower (
    what bytea not null,
    id integer not null,
    sid varchar(64) collate "C" not null references baton_session on delete cascade,
    primary key (what, sid)
);

create index if not exists baton_follower_sid on baton_follower (sid);

insert into baton_store (id, schema_version, generation, history, c, w, quiet_until, max_ttl)
    values (1, 1, 0, (random() * 1e15)::bigint, 0, 0, 0, 0) on conflict do nothing;
