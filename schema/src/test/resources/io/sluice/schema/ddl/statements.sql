-- One statement a line; in brackets the servers that take it.
create database s default charset utf8mb4
use s

-- Members of ENUM and SET that are literals of bytes, or are strings with all that may be in them.
create table m1 (a int, e enum(0x61,'b'), f ENUM(x'61',B'01100010'), g set(0x61 , 0b1100010,X'63'), z int)
create table m2 (e enum(0xE794B2,'b'), f enum(0xC4,'b') charset latin1, g set(0x8140,'x') collate gbk_bin)
create table m3 (e enum(0x61,b'1100001100011') charset ucs2, f enum(0x61,0x0062) charset utf16, g enum(0x61) charset utf16le, h set(0x61,'b') charset utf32)
create table m4 (e enum(0x2C27,'b',0x6120,x'',0x29) , f enum(x'616263', 0x6162636) charset binary)
create table m5 (e enum('a' /* , 'x' */, /*!50000 'y', */ /*!99999 'z', */ 'b' /* ' */ ))
create table m6 (e enum('a''b',"c""d",'e\'f',"g\"h",'i"j',"k'l",'m,n','o)p','(','q`r','A ',' c','/* */','-- x','#'))
create table m7 like m2
alter table m1 add h set(0x62,'c') first, change e E enum(x'C3B6',0b1100001) after h, modify z enum(0x41,'b') charset latin1
alter table m2 default charset latin1, add h enum(0xC4)
alter table m3 modify e enum('a','b') charset utf8mb4, rename to m8
set sql_mode = 'ANSI_QUOTES'
create table "m9" ("e" enum('a"b',0x62), "x'61'" int)
set sql_mode = ''

-- MariaDB: a column that the same statement adds may be defined again after that.
[mariadb] create table n1 (id int primary key, z int, e enum('x'))
[mariadb] alter table n1 add column a int, modify a text
[mariadb] alter table n1 add column b int, modify column b text first
[mariadb] alter table n1 add column c int after id, add column d int after c, modify c text, add f date after c
[mariadb] alter table n1 add column g int, change nosuch g text
[mariadb] alter table n1 add column h int, change nosuch h text after id
[mariadb] alter table n1 drop primary key, add i int primary key, modify i bigint
[mariadb] alter table n1 drop primary key, add j int, add primary key (j), modify j bigint unsigned
[mariadb] alter table n1 add k int, change k k bigint, change k K text first
[mariadb] alter table n1 add l int, modify b blob after l, modify l text
[mariadb] alter table n1 add (m int, n int), modify m text
[mariadb] alter table n1 drop z, add z bigint, modify z text
[mariadb] alter table n1 add z bigint, modify z date, drop z
[mariadb] alter table n1 drop z, add z text first, modify if exists z blob
[mariadb] alter table n1 drop z, add q bigint, change z q text
[mariadb] alter table n1 add r int, modify if exists r text, change if exists nosuch r2 text
[mariadb] alter table n1 add column if not exists s int, modify s text
[mariadb] alter table n1 add column if not exists q int, modify q blob
[mariadb] alter table n1 add t varchar(10), modify t text character set latin1, convert to character set utf8mb4
[mariadb] alter table n1 change q y int, add q int, modify q text
[mariadb] alter table n1 change q x int first, add q int, modify q text first
[mariadb] alter table n1 add u int, modify u text, drop if exists u
[mariadb] alter table n1 add v int, modify v text, add w int, modify v text

-- MariaDB: one column WITH SYSTEM VERSIONING makes the table a system-versioned one.
[mariadb] create table v1 (id int primary key, a int with system versioning, b int)
[mariadb] create table v2 (id int, a int without system versioning, b int) with system versioning
[mariadb] create table v3 (id int, a int without system versioning)
[mariadb] create table v4 (id int, a int with system versioning, rs timestamp(6) as row start, re timestamp(6) generated always as row end, period for system_time(rs, re))
[mariadb] create table v5 (id int with system versioning, a int default (1) with system versioning comment 'x') with system versioning
[mariadb] create table v6 (a int not null with system versioning check (a > 0), b timestamp default now() with system versioning on update now())
[mariadb] create table v7 (a int comment 'with system versioning', b varchar(30) default 'with system versioning' without system versioning)
[mariadb] create table v8 (a int with system versioning, b int) partition by system_time (partition p0 history, partition p1 current)
[mariadb] create table v9 like v1
[mariadb] set system_versioning_alter_history = keep
[mariadb] alter table v1 drop b, add c int after id, add d int without system versioning, modify a int with system versioning
[mariadb] alter table v9 drop system versioning
[mariadb] set system_versioning_alter_history = error
[mariadb] create table v10 (a int with system versioning, b int) select 1 as c

-- MariaDB: names of types that other servers and other SQL modes know otherwise.
[mariadb] create table o1 (a mariadb_schema.date, b oracle_schema.date, c maxdb_schema.timestamp, d oracle_schema.blob, e `inet6`, f mariadb_schema.varchar(3), g mariadb_schema.timestamp(3))
[mariadb] set sql_mode = 'ORACLE'
[mariadb] create table o2 (a number, b number(5), c number(7,2), d varchar2(10), e raw(16), f clob, g blob, h date, i real, j blob(10), k timestamp, l long, m number(3) unsigned zerofill)
[mariadb] create table "o3" (date date, "number" number not null default 1, raw raw(3), clob clob character set latin1, v varchar2(10) character set latin1, primary key (date))
[mariadb] create table o4 (a oracle_schema.date, b oracle_schema.blob, c oracle_schema.number, d mariadb_schema.blob, e "mariadb_schema".date, f maxdb_schema.timestamp, g mariadb_schema.clob)
[mariadb] create table o5 like o2
[mariadb] alter table o2 add n date, modify a date, change b b2 blob, add (o number, p clob)
[mariadb] create table o6 as select a, e from o4
[mariadb] set sql_mode = 'MAXDB'
[mariadb] create table o7 (a timestamp, b timestamp(3) not null, c date, d blob, e mariadb_schema.timestamp)
[mariadb] alter table o7 modify a timestamp not null, add f maxdb_schema.timestamp
[mariadb] set sql_mode = 'ORACLE,MAXDB'
[mariadb] create table o8 (a timestamp, b date)
[mariadb] set sql_mode = ''
[mariadb] create table o9 (a timestamp, b date, c blob)
[mysql] [before 80000] set sql_mode = 'ORACLE,MAXDB'
[mysql] [before 80000] create table o10 (a timestamp, b timestamp(3) not null, c date, d blob)
set sql_mode = ''

-- MariaDB: partitions that become tables, and tables that become partitions.
[mariadb] create database s2
[mariadb] create table p1 (id int primary key, b date, c enum('a'), d text character set latin1) character set utf8mb3 partition by range (id) (partition p0 values less than (10), partition p1 values less than (20), partition p2 values less than (30), partition p3 values less than (40))
[mariadb] alter table p1 convert partition p0 to table q0
[mariadb] alter table q0 add e text, drop b
[mariadb] alter table p1 add e text
[mariadb] alter table p1 wait 5 convert partition p3 to table `q 3`
[mariadb] alter table p1 convert table `q 3` to partition p3 values less than (40)
[mariadb] alter table p1 convert partition `p3` to table `q 3`
[mariadb] drop table `q 3`
[mariadb] use s2
[mariadb] alter table s.p1 add partition (partition p5 values less than (50), partition p9 values less than (55))
[mariadb] alter table s.p1 convert partition p1 to table q1
[mariadb] alter table if exists s.p1 nowait convert partition p2 to table s.q2
[mariadb] create table q4 like s.p1
[mariadb] alter table q4 remove partitioning
[mariadb] alter table s.p1 convert table q4 to partition p6 values less than (60)
[mariadb] create table if not exists q4 (x int)
[mariadb] alter table s.p1 convert partition p5 to table s2.q5
[mariadb] use s
[mariadb] create table p2 (id int with system versioning, b int) partition by list (id) (partition p0 values in (1, 2), partition p1 values in (3))
[mariadb] alter table p2 convert partition p0 to table q6
[mariadb] alter table p2 convert table q6 to partition p0 values in (1)
[mariadb] create table q6 (other int)
[mariadb] [from 110400] alter table p1 convert table s.q2 to partition p7 values less than (70) without validation
[mariadb] [from 110400] alter table p1 convert table s2.q1 to partition p8 values less than (80) with validation
[mariadb] [from 110400] create or replace table q2 (y int)
[mariadb] set statement lock_wait_timeout = 10 for alter table p2 convert partition p0 to table q7

-- A generated invisible primary key stays the first column.
[mysql] [from 80030] set sql_generate_invisible_primary_key = 1
[mysql] [from 80030] create table g1 (a bigint unsigned)
[mysql] [from 80030] alter table g1 add b bigint unsigned not null default 7 first
[mysql] [from 80030] alter table g1 add (c int), modify a bigint unsigned first
[mysql] [from 80030] set sql_generate_invisible_primary_key = 0
[mysql] [from 80030] alter table g1 change b bb int first, add d int first, add e int first
[mysql] [from 80030] create table g2 like g1
[mysql] [from 80030] alter table g2 add f int first
[mysql] [from 80030] alter table g2 alter column my_row_id set visible, add g int first
[mysql] [from 80030] alter table g2 add h int first
[mysql] [from 80030] alter table g1 alter my_row_id set visible
[mysql] [from 80030] alter table g1 add i int first
[mysql] [from 80030] alter table g1 alter my_row_id set invisible, add j int first
[mysql] [from 80030] alter table g1 modify a int first
[mysql] [from 80030] create table g3 (my_row_id bigint unsigned not null auto_increment primary key invisible, a int)
[mysql] [from 80030] alter table g3 add b int first
[mysql] [from 80030] create table g4 (My_Row_ID bigint unsigned not null auto_increment invisible, a int not null, primary key (my_row_id))
[mysql] [from 80030] alter table g4 add b int first
[mysql] [from 80030] alter table g4 add d int first
[mysql] [from 80030] create table g5 (my_row_id bigint not null auto_increment primary key invisible, a int)
[mysql] [from 80030] alter table g5 add b int first
[mysql] [from 80030] create table g6 (my_row_id bigint unsigned not null primary key invisible default 0, a int)
[mysql] [from 80030] alter table g6 add b int first
[mysql] [from 80030] create table g7 (a int, my_row_id bigint unsigned not null auto_increment primary key invisible)
[mysql] [from 80030] alter table g7 modify my_row_id bigint unsigned not null auto_increment invisible first
[mysql] [from 80030] alter table g7 add b int first
[mysql] [from 80030] alter table g7 modify my_row_id bigint unsigned not null auto_increment, add c int first
[mysql] [from 80030] alter table g7 add d int first
[mysql] [from 80030] create table g8 (my_row_id bigint unsigned not null auto_increment primary key invisible, a int)
[mysql] [from 80030] alter table g8 drop my_row_id, add b int first
[mysql] [from 80030] create table g9 (a int)
[mysql] [from 80030] alter table g9 add my_row_id bigint unsigned not null auto_increment primary key invisible first, add b int first
[mysql] [from 80030] alter table g9 add c int first

-- Names of columns are compared one character after the other.
[before 110500] create table u1 (aci int, `acı` int, primary key (`acı`))
[before 110500] alter table u1 add x int after `ACı`
[before 110500] alter table u1 change `ACı` y int
[before 110500] create table u2 (id int, `É` int, `ΑΣ` int, `ας` int)
[before 110500] alter table u2 change `é` z int, modify `ας` bigint first, change `ασ` w bigint

-- Keys with a period, and among added columns.
[mariadb] create table overlap1 (id int, s date, e date, period for p (s, e), primary key (id, p without overlaps))
[mariadb] create table overlap2 (id int, s date, e date, period for p (s, e))
[mariadb] alter table overlap2 add primary key (id, p without overlaps)
[mariadb] create table overlap3 (id int, s date, e date)
[mariadb] alter table overlap3 add period for p (s, e), add primary key (id, P without overlaps)
[mariadb] alter table overlap3 drop primary key, add b int
[mariadb] alter table overlap3 add primary key (id, p without overlaps)
[mariadb] create table overlap4 like overlap1
[mariadb] alter table overlap4 drop primary key
[mariadb] alter table overlap4 add primary key (id, p without overlaps)
create table within1 (a int)
alter table within1 add (b int, c int, constraint k primary key (b, a)), add d int

-- Executable comments: MySQL reads five digits of a version, MariaDB six.
create table comment1 (/*!500001a int, */ b int)
create table comment2 (/*!0500001a int, */ b int)
create table comment3 (/*!999991 a int, */ b int)

-- Spellings of types.
create table y1 (a INTEGER, b INT(5) zerofill, c Int1, d INT2 Unsigned, e INT3, f MiddleInt unsigned, g INT4, h INT8 unsigned zerofill, i TINYINT(1), j tinyint(1) unsigned, k BOOL, l BOOLEAN, m BIGINT(4), n SmallInt zerofill, o int(0), p TINYINT(1) zerofill)
create table y2 (a SERIAL, b NUMERIC, c DEC(5) unsigned, d FIXED(8,3) zerofill, e Decimal(0), f FLOAT(7,3), g Float(10), h FLOAT(30), i DOUBLE PRECISION(9,2) unsigned, j REAL, k FLOAT4, l FLOAT8 zerofill, m Real(6,1))
create table y3 (a BIT, b Year, c YEAR(4), d TimeStamp(0) null, e DATETIME(3), f TIME(0), g DATE, h Timestamp null)
create table y4 (a CHAR, b CHARACTER(3), c NCHAR(4), d NATIONAL CHAR, e National Character(2), f CHAR(5) character set binary, g CHAR(2) byte, h BINARY, i CHAR(6) ascii, j CHAR(0))
create table y5 (a VARCHARACTER(3), b CHARACTER VARYING(4), c NVARCHAR(5), d NCHAR VARCHAR(6), e NCHAR VARYING(7), f NATIONAL VARCHAR(8), g NATIONAL CHARACTER VARYING(9), h VARCHAR(9) character set binary, i VARBINARY(3), j CHAR VARYING(2))
create table y6 (a TEXT(50), b Text(64), c TEXT(255) charset latin1, d TEXT(256) charset latin1, e TEXT(16383), f TEXT(16384), g TEXT(70000) character set ucs2, h BLOB(20), i BLOB(300), j BLOB(70000), k BLOB(20000000), l TinyText, m MEDIUMTEXT character set binary, n TEXT byte, o LongText)
create table y7 (a LONG, b LONG VARCHAR, c LONG VARBINARY, d LONG CHAR VARYING, e LONG VARCHAR character set binary, f JSON, g Enum('X', 'y'), h SET('a','B'), i GeometryCollection, j POINT, k MultiPolygon)
create table y8 (a varchar(20), b text(30), c char, d longtext, e enum('a')) default charset binary
alter table y8 add f Text(10) charset utf8mb4, modify a NVARCHAR(9), change c d2 Numeric(4)
alter table y6 convert to character set latin1
alter table y4 convert to character set utf8mb4
