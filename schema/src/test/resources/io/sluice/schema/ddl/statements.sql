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
