-- Baton's tables on MariaDB, version 1. Run it once in the database that the clients name,
-- or let the clients do so. Times are milliseconds: c on the store's own clock, w on the server's.

create table if not exists baton_store (
    id smallint primary key,
    schema_version integer not null,
    generation bigint not null,
    history bigint not null,
    c bigint not null,
    w bigint not null,
    quiet_until bigint not null,
    max_ttl bigint not null
) engine = innodb;

-- Which run of which server began which history. Rows are only added: older tables are in memory, where a replica may
-- have lost the row that it is told to change.
create table if not exists baton_incarnation (
    history bigint primary key,
    server varbinary(512) not null
) engine = innodb;

create table if not exists baton_session (
    sid varchar(64) character set ascii collate ascii_bin primary key,
    epoch bigint not null,
    ttl bigint not null,
    beat_c bigint not null,
    beat_w bigint not null,
    client varchar(1024) character set utf8mb4 not null
) engine = innodb;

create table if not exists baton_verdict (
    sid varchar(64) character set ascii collate ascii_bin not null,
    n bigint not null,
    verdict boolean not null,
    primary key (sid, n),
    foreign key (sid) references baton_session (sid) on delete cascade
) engine = innodb;

-- The row with an empty path has the largest number of all lines that were deleted. No entry of a line has a token
-- below its head.
create table if not exists baton_line (
    path varbinary(600) primary key,
    seq bigint not null,
    head bigint not null default 0
) engine = innodb;

create table if not exists baton_entry (
    path varbinary(600) not null,
    token bigint not null,
    name varchar(64) character set ascii collate ascii_bin not null unique,
    sid varchar(64) character set ascii collate ascii_bin not null,
    mode smallint not null,
    permits integer not null,
    downgraded boolean not null,
    payload longblob not null,
    primary key (path, token),
    foreign key (sid) references baton_session (sid) on delete cascade
) engine = innodb;

create table if not exists baton_tree (
    tree varbinary(1024) primary key,
    rev bigint not null
) engine = innodb;

create table if not exists baton_record (
    tree varbinary(1024) not null,
    name varbinary(1024) not null,
    value longblob not null,
    rev bigint not null,
    primary key (tree, name)
) engine = innodb;

create table if not exists baton_change (
    tree varbinary(1024) not null,
    rev bigint not null,
    prev bigint not null,
    name varbinary(1024) not null,
    deleted boolean not null,
    value longblob not null,
    primary key (tree, rev, name)
) engine = innodb;

-- Which sessions are sent changes of what: the head of a line (h), its entries (e), or a tree (t).
create table if not exists baton_follower (
    what varbinary(1030) not null,
    id integer not null,
    sid varchar(64) character set ascii collate ascii_bin not null,
    primary key (what, sid),
    foreign key (sid) references baton_session (sid) on delete cascade
) engine = innodb;

insert ignore into baton_store (id, schema_version, generation, history, c, w, quiet_until, max_ttl)
    values (1, 1, 0, floor(rand() * 1e15), 0, 0, 0, 0);
