#!/bin/bash
# Run by the image of MySQL at its first start: the account that Sluice reads the binlog with, and a table to change.
mysql -u root -p"$MYSQL_ROOT_PASSWORD" <<SQL
create user canal identified by '${SLUICE_DB_PASSWORD//\'/\'\'}';
grant select, replication slave, replication client on *.* to canal;
create database shop;
create table shop.orders (id bigint primary key auto_increment, customer varchar(64) not null, total decimal(10, 2) not null);
insert into shop.orders (customer, total) values ('the first one', 9.99);
SQL
