package io.baton.jdbc;

/**
 * What operators ask, which differs between databases.
 *
 * @param oldest the oldest version that works: its major number times 100, and its minor one
 * @param role one row: {@code primary}, {@code standby} or {@code read-only}
 * @param connections rows of what a limit is of, how many connections there are, and how many there may be
 * @param activity rows of what connections do, and how many do it, as far as this user may see
 * @param transaction one row: for how many seconds the oldest transaction has been open; null if none is
 * @param sizes rows of a table and its size in bytes, the largest first
 * @param settings rows of whether a setting is a problem, what it breaks, and what to do; not of those that lose what is
 *     acknowledged
 * @param queue one row: the part of the queue of notifications that is full, in percent; empty without notifications
 */
record OperatorQueries(
        int oldest,
        String role,
        String connections,
        String activity,
        String transaction,
        String sizes,
        String settings,
        String queue) {

    static final OperatorQueries POSTGRES = new OperatorQueries(
            12_00,
            "select case when pg_is_in_recovery() then 'standby'"
                    + " when current_setting('default_transaction_read_only') = 'on' then 'read-only' else 'primary' end",
            "select 'the server', sum(numbackends)::bigint, current_setting('max_connections')::bigint"
                    + " - current_setting('superuser_reserved_connections')::bigint from pg_stat_database"
                    + " union all select 'the database ' || d.datname, s.numbackends, d.datconnlimit from pg_database d"
                    + " join pg_stat_database s on s.datid = d.oid where d.datname = current_database()"
                    + " and d.datconnlimit >= 0"
                    + " union all select 'the user ' || rolname, (select count(*) from pg_stat_activity"
                    + " where usename = current_user), rolconnlimit from pg_roles where rolname = current_user"
                    + " and rolconnlimit >= 0",
            "select case when wait_event_type = 'Lock' then 'waiting for a lock' else coalesce(state, 'not shown') end,"
                    + " count(*) from pg_stat_activity where datid is not null group by 1 order by 2 desc, 1",
            "select max(extract(epoch from clock_timestamp() - xact_start))::bigint from pg_stat_activity"
                    + " where datname = current_database() and pid <> pg_backend_pid()",
            "select relname, pg_total_relation_size(c.oid) from pg_class c where relnamespace = current_schema()::regnamespace"
                    + " and relname like 'baton!_%' escape '!' and relkind = 'r' order by 2 desc, 1",
            "select false, 'autovacuum is off, so each heartbeat leaves a row that is never removed',"
                    + " 'turn it on' from pg_settings where name = 'autovacuum' and setting = 'off'",
            "select (100 * pg_notification_queue_usage())::bigint");

    static final OperatorQueries MARIADB = new OperatorQueries(
            10_06,
            "select case when " + MariaDbDialect.READ_ONLY + " then 'read-only' else 'primary' end",
            "select 'the server', (select cast(variable_value as signed) from information_schema.global_status"
                    + " where variable_name = 'THREADS_CONNECTED'), @@global.max_connections"
                    + " union all select 'the user', (select count(*) from information_schema.processlist"
                    + " where user = substring_index(current_user(), '@', 1)), @@session.max_user_connections from dual"
                    + " where @@session.max_user_connections > 0",
            "select case when command = 'Sleep' then 'idle' else 'active' end as does, count(*)"
                    + " from information_schema.processlist group by does order by 2 desc, 1",
            "select timestampdiff(second, min(trx_started), now()) from information_schema.innodb_trx"
                    + " where trx_mysql_thread_id <> connection_id()",
            "select table_name, data_length + index_length from information_schema.tables"
                    + " where table_schema = database() and table_name like 'baton!_%' escape '!' order by 2 desc, 1",
            "select 1, 'binlog_format is STATEMENT, so the server refuses transactions',"
                    + " 'set it to MIXED or ROW' from dual where @@global.log_bin and @@global.binlog_format = 'STATEMENT'",
            "");
}
