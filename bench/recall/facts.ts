/**
 * Facts of a made-up project in ten languages, one a message, and the few words that a model asks for each with: a line
 * is `what was said | what is asked`. Questions leave out words, change their form and their order.
 */
export const facts: Readonly<Record<string, string>> = {
  English: `
The staging database listens on port 5433 because 5432 was taken by the old cluster. | staging database port
Marta from accounting approves every invoice above four thousand euros. | who approves invoices
We deploy on Tuesdays after the traffic report, never on Fridays. | which day do we deploy
The logo file lives in assets/brand/logo-dark.svg since the redesign. | dark logo file
The migration failed with error E1205: deadlock found when trying to get lock. | migration deadlock error
Customers in Norway must see prices with the tax included. | Norway prices tax
The nightly backup is kept for thirty-five days in the Frankfurt region. | how long are backups kept
Please never rename the column legacy_id, two partners read it directly. | column partners read
The login page times out after nine minutes without a click. | login timeout minutes
Our budget for the translation is two thousand pounds, all included. | translation budget
The printer in the warehouse only understands labels of ten centimetres. | warehouse printer labels
The feature flag newCheckout is on for six percent of the visitors. | newCheckout flag visitors
Ivo wrote the parser for bank statements and knows its strange dates. | bank statement parser author
The certificate of the mail server runs out on the ninth of March. | mail certificate expires
We chose Postgres over MySQL because of the partial indexes. | why Postgres
The support phone is answered from Lisbon between eight and five. | support phone hours
Every report has to be signed by the auditor before it is published. | auditor sign reports
The mobile app still calls the old endpoint /v1/orders/list. | mobile app endpoint
The bicycle couriers refuse parcels heavier than twelve kilos. | courier parcel weight
The test account is called otter-seven and its orders are never shipped. | test account name`,
  Spanish: `
La base de datos de pruebas escucha en el puerto 6543 por culpa del cortafuegos. | puerto base de datos pruebas
Lucía aprueba todas las facturas que superan los tres mil euros. | quién aprueba facturas
Publicamos los miércoles por la mañana, nunca antes de un festivo. | día de publicación miércoles
El logotipo oscuro está en recursos/marca/oscuro.svg. | logotipo oscuro
La importación falló porque el archivo tenía una columna vacía. | por qué falló la importación
Los clientes de Canarias pagan sin impuestos. | impuestos Canarias
La copia de seguridad se guarda cuarenta días en Madrid. | cuánto se guarda la copia de seguridad
No cambies el nombre de la tabla pedidos_viejos, la lee un socio. | tabla que lee el socio
La sesión caduca a los once minutos de inactividad. | cuándo caduca la sesión
El presupuesto de la traducción es de mil ochocientos euros. | presupuesto traducción
La impresora del almacén solo acepta etiquetas azules. | etiquetas impresora almacén
El nuevo carrito está activo para el siete por ciento de las visitas. | carrito porcentaje visitas
Joaquín escribió el lector de extractos bancarios. | lector extractos bancarios
El certificado del correo vence el cuatro de abril. | certificado correo vencimiento
Elegimos Redis porque las colas eran demasiado lentas. | motivo Redis colas
El teléfono de ayuda se atiende desde Sevilla. | teléfono ayuda desde dónde
Cada informe lo firma la auditora antes de salir. | quién firma informe
La aplicación móvil todavía llama a la ruta /v1/pedidos. | ruta aplicación móvil
Los mensajeros rechazan paquetes de más de quince kilos. | peso paquetes mensajeros
La cuenta de pruebas se llama nutria-nueve. | cuenta de pruebas nombre`,
  German: `
Die Testdatenbank lauscht auf Port 5544, weil der alte Rechner den anderen belegt. | Port der Testdatenbank
Frau Krüger genehmigt alle Rechnungen über fünftausend Euro. | wer genehmigt Rechnung
Ausgeliefert wird donnerstags nach dem Mittagessen, nie vor Feiertagen. | Auslieferung donnerstags
Das dunkle Firmenzeichen liegt in bilder/marke/dunkel.svg. | dunkles Firmenzeichen
Der Import brach ab, weil eine Spalte doppelt vorkam. | Grund Abbruch Import Spalte doppelt
Kunden aus der Schweiz sehen Preise ohne Mehrwertsteuer. | Schweiz Preise Mehrwertsteuer
Die Sicherung wird fünfzig Tage lang in Wien aufbewahrt. | wie lange wird Sicherungen aufbewahrt
Die Tabelle alte_auftraege darf nicht umbenannt werden. | welche Tabelle nicht umbenennen alte_auftraege
Die Anmeldung läuft nach dreizehn Minuten ab. | Anmeldung Ablauf Minuten
Für die Übersetzung stehen zweitausendvierhundert Euro bereit. | Geld für Übersetzungen
Der Drucker im Lager nimmt nur schmale Etiketten. | Lager Drucker Etikett
Der neue Warenkorb ist für acht Prozent der Besucher eingeschaltet. | Warenkorb Prozent Besucher
Holger hat den Leser für Kontoauszüge geschrieben. | Kontoauszüge Leser Autor
Das Zertifikat des Postfachs endet am elften Mai. | Zertifikat Postfach Ende
Wir nahmen Kafka, weil die Warteschlange Nachrichten verlor. | warum Kafka
Das Hilfetelefon ist von Graz aus besetzt. | Hilfetelefon Ort
Jeder Bericht wird vom Prüfer unterschrieben. | Bericht unterschreiben Prüfer
Die Handyanwendung ruft noch die Adresse /v1/bestellungen auf. | Adresse Handyanwendung
Boten lehnen Pakete ab, die schwerer als achtzehn Kilo sind. | Boten Gewicht Pakete
Das Testkonto heißt otter-elf und wird nie beliefert. | Name Testkonto`,
  Russian: `
Тестовая база данных слушает порт 5599, потому что старый занят кластером. | порт тестовой базы
Все счета дороже тысячи рублей утверждает Марина из бухгалтерии. | кто утверждает счёт
Выкладываем новую версию по средам и никогда перед праздниками. | день выкладки версии
Тёмный логотип лежит в папке картинки/знак/тёмный.svg. | тёмного логотипа
Перенос данных сломался из-за двойного ключа. | почему сломался перенос
Покупатели из Казахстана видят цены без налога. | цены Казахстан налог
Резервная копия хранится сорок два дня в Новосибирске. | сколько хранится резервная копия
Столбец старый_номер нельзя переименовывать, его читают партнёры. | столбец партнёры читают
Вход закрывается после двенадцати минут без движения. | вход минут без движения
На перевод выделено девяносто тысяч рублей. | деньги на перевод
Принтер на складе печатает только узкие этикетки. | складской принтер этикетки
Новая корзина включена для пяти процентов посетителей. | корзина процентов посетители
Разбор банковских выписок написал Тимур. | банковская выписка автор
Сертификат почты заканчивается двадцатого июня. | сертификата почты срок
Мы выбрали очередь на диске, чтобы не терять сообщения. | очередь сообщений выбор
Телефон поддержки работает из Казани. | поддержка телефон город
Каждый отчёт подписывает аудитор. | подпись аудитора отчёт
Мобильное приложение обращается к старому адресу /v1/заказы. | адрес мобильного приложения
Курьеры не берут посылки тяжелее двадцати килограммов. | вес посылки курьер
Тестовая учётная запись называется выдра-семь. | учётной записи выдра`,
  Arabic: `
قاعدة بيانات الاختبار تعمل على المنفذ 5577 بسبب جدار الحماية. | منفذ قاعدة بيانات الاختبار
توافق ليلى من المحاسبة على كل فاتورة تتجاوز ألف دينار. | فاتورة المحاسبة ليلى
ننشر الإصدارات يوم الأربعاء بعد الظهر فقط. | يوم نشر الإصدارات
الشعار الداكن محفوظ في مجلد الصور الجديد. | الشعار الداكن
فشل الاستيراد لأن عمودا كان مكررا. | سبب فشل الاستيراد
عملاء البحرين يرون الأسعار بدون ضريبة. | البحرين الأسعار ضريبة
تحفظ النسخة الاحتياطية ستين يوما في دبي. | مدة النسخة الاحتياطية
لا تغير اسم الجدول القديم لأن الشركاء يقرؤونه. | الجدول القديم الشركاء
تنتهي الجلسة بعد أربع عشرة دقيقة من السكون. | تنتهي الجلسة دقيقة
ميزانية الترجمة خمسة آلاف درهم. | ميزانية الترجمة
طابعة المستودع لا تقبل إلا الملصقات الصفراء. | طابعة المستودع الملصقات
سلة الشراء الجديدة مفعلة لتسعة بالمئة من الزوار. | سلة الشراء الزوار
كتب سامي قارئ كشوف البنك. | قارئ كشوف البنك
شهادة البريد تنتهي في الثالث من يوليو. | شهادة البريد
اخترنا الطابور الجديد لأن القديم كان يفقد الرسائل. | الطابور الجديد الرسائل
هاتف الدعم يعمل من عمان. | هاتف الدعم
كل تقرير يوقعه المدقق قبل النشر. | المدقق تقرير
تطبيق الجوال ما زال يستخدم العنوان القديم. | تطبيق الجوال العنوان
يرفض السعاة الطرود الأثقل من عشرة كيلوغرامات. | السعاة الطرود
حساب التجربة اسمه قضاعة سبعة. | حساب التجربة اسمه`,
  Hindi: `
परीक्षण डेटाबेस पोर्ट 5588 पर चलता है क्योंकि पुराना पोर्ट व्यस्त था। | परीक्षण डेटाबेस पोर्ट
लेखा विभाग की सुनीता दस हज़ार से बड़े हर बिल को मंज़ूर करती हैं। | बिल कौन मंज़ूर
हम हर बुधवार को नया संस्करण जारी करते हैं। | नया संस्करण बुधवार
गहरा चिह्न चित्र फ़ोल्डर में रखा है। | गहरा चिह्न
आयात इसलिए रुका कि एक स्तंभ दो बार था। | आयात रुका स्तंभ
नेपाल के ग्राहकों को कर के बिना दाम दिखते हैं। | नेपाल ग्राहकों कर दाम
बैकअप पैंतालीस दिन तक मुंबई में रखा जाता है। | बैकअप कितने दिन
पुरानी तालिका का नाम मत बदलना, साझेदार उसे पढ़ते हैं। | तालिका साझेदार
लॉगिन पंद्रह मिनट के बाद बंद हो जाता है। | लॉगिन मिनट बंद
अनुवाद का बजट साठ हज़ार रुपये है। | अनुवाद बजट
गोदाम का प्रिंटर केवल छोटे लेबल छापता है। | गोदाम प्रिंटर लेबल
नई टोकरी चार प्रतिशत आगंतुकों के लिए चालू है। | टोकरी आगंतुकों प्रतिशत
बैंक विवरण पढ़ने वाला कोड रोहित ने लिखा। | बैंक विवरण कोड
डाक सर्वर का प्रमाणपत्र अगस्त में समाप्त होगा। | प्रमाणपत्र समाप्त
हमने नई कतार चुनी क्योंकि पुरानी संदेश खोती थी। | कतार संदेश
सहायता फ़ोन जयपुर से चलता है। | सहायता फ़ोन
हर रिपोर्ट पर लेखापरीक्षक हस्ताक्षर करता है। | रिपोर्ट हस्ताक्षर
मोबाइल ऐप अब भी पुराने पते को बुलाता है। | मोबाइल ऐप पते
कूरियर सोलह किलो से भारी पार्सल नहीं लेते। | कूरियर पार्सल भारी
परीक्षण खाते का नाम ऊदबिलाव सात है। | खाते का नाम ऊदबिलाव`,
  Chinese: `
测试数据库监听五五六六端口，因为旧的端口被集群占用了。 | 数据库端口
财务部的王芳负责批准所有超过五千元的发票。 | 谁批准发票
我们每周三下午发布新版本，节假日之前绝不发布。 | 发布新版本
深色标志放在品牌文件夹里，重新设计之后没有动过。 | 深色标志
数据迁移失败了，原因是主键重复。 | 迁移失败原因
新加坡的客户看到的价格不含税。 | 新加坡价格
夜间备份在上海保存四十五天。 | 备份保存多久
请不要修改旧订单表的名字，合作伙伴会直接读取。 | 旧订单表
登录页面闲置十分钟后会自动退出。 | 登录闲置退出
翻译预算一共是八千元。 | 翻译预算
仓库的打印机只能用窄标签。 | 打印机标签
新购物车只对百分之六的访客开放。 | 购物车访客
银行对账单的解析程序是李强写的。 | 对账单解析
邮件服务器的证书九月到期。 | 证书到期
我们选择消息队列是因为定时任务会丢失数据。 | 为什么选择队列
客服电话由成都的团队接听。 | 客服电话团队
每份报告发表之前都要审计员签字。 | 审计员签字
手机应用仍然调用旧的订单接口。 | 手机应用接口
快递员拒收超过十五公斤的包裹。 | 包裹公斤
测试账号叫水獭七号，它的订单从不发货。 | 测试账号`,
  Japanese: `
テスト用のデータベースは五五七七番ポートで待ち受けています。 | データベースのポート
経理の佐藤さんが十万円を超える請求書を承認します。 | 請求書の承認
リリースは毎週水曜日の午後に行い、祝日前は行いません。 | リリースの曜日
暗い背景用のロゴは新しい素材フォルダにあります。 | ロゴのフォルダ
移行は重複した主キーのために失敗しました。 | 移行が失敗した理由
台湾のお客様には税抜きの価格を表示します。 | 台湾の価格
夜間のバックアップは大阪で五十日間保管されます。 | バックアップの保管期間
古い注文表の名前は変えないでください、取引先が読んでいます。 | 注文表の名前
ログイン画面は八分間操作がないと切れます。 | ログイン画面の時間
翻訳の予算は三十万円です。 | 翻訳予算
倉庫のプリンターは細いラベルしか使えません。 | 倉庫プリンター
新しい買い物かごは訪問者の七パーセントに公開中です。 | 買い物かごの公開
銀行明細の解析は田中さんが書きました。 | 銀行明細を書いた人
メールサーバーの証明書は十月に切れます。 | 証明書の期限
メッセージを失わないように待ち行列を選びました。 | 待ち行列を選んだ
問い合わせ電話は札幌で受けています。 | 問い合わせの電話
報告書は公開前に監査人が署名します。 | 監査人の署名
携帯アプリはまだ古い注文の窓口を呼んでいます。 | 携帯アプリ窓口
配達員は二十キロより重い荷物を断ります。 | 荷物の重さ
テスト用の口座はかわうそ七号と呼ばれています。 | かわうそ口座`,
  Korean: `
테스트 데이터베이스는 오래된 클러스터 때문에 5511번 포트를 사용합니다. | 데이터베이스 포트
회계팀의 지영 씨가 백만 원이 넘는 청구서를 승인합니다. | 청구서 승인자
새 버전은 매주 수요일 오후에 배포하고 명절 전에는 하지 않습니다. | 버전 배포 요일
어두운 로고는 새 디자인 폴더에 있습니다. | 어두운 로고
이전 작업은 중복된 기본 키 때문에 실패했습니다. | 이전 작업 실패
홍콩 고객에게는 세금을 뺀 가격이 보입니다. | 홍콩 가격
야간 백업은 부산에서 삼십오 일 동안 보관됩니다. | 백업 보관
오래된 주문 표의 이름을 바꾸지 마세요, 협력사가 읽습니다. | 주문표 협력사
로그인 화면은 십이 분 동안 움직임이 없으면 끊깁니다. | 로그인 끊김
번역 예산은 모두 이백만 원입니다. | 번역예산
창고의 프린터는 좁은 라벨만 받습니다. | 창고 라벨
새 장바구니는 방문자의 구 퍼센트에게 열려 있습니다. | 장바구니 방문자
은행 명세서 해석기는 민수가 만들었습니다. | 명세서 해석기
메일 서버의 인증서는 십일월에 끝납니다. | 메일 인증서
메시지를 잃지 않으려고 대기열을 골랐습니다. | 대기열 이유
상담 전화는 대전에서 받습니다. | 상담전화
모든 보고서에는 감사인이 서명합니다. | 감사인 서명
휴대폰 앱은 아직 옛 주문 주소를 부릅니다. | 휴대폰앱 주소
배달원은 십팔 킬로가 넘는 소포를 거절합니다. | 소포 무게 킬로
시험 계정의 이름은 수달 칠호입니다. | 시험계정 수달`,
  Thai: `
ฐานข้อมูลทดสอบใช้พอร์ตห้าห้าแปดแปดเพราะพอร์ตเดิมถูกใช้อยู่ | พอร์ตฐานข้อมูล
คุณสมศรีจากฝ่ายบัญชีอนุมัติใบแจ้งหนี้ที่เกินหมื่นบาท | ใครอนุมัติใบแจ้งหนี้
เราปล่อยรุ่นใหม่ทุกวันพุธตอนบ่ายและไม่ปล่อยก่อนวันหยุด | ปล่อยรุ่นใหม่วันไหน
โลโก้สีเข้มอยู่ในโฟลเดอร์ภาพใหม่ | โลโก้สีเข้ม
การย้ายข้อมูลล้มเหลวเพราะกุญแจหลักซ้ำกัน | ย้ายข้อมูลล้มเหลว
ลูกค้าในลาวเห็นราคาที่ไม่รวมภาษี | ลูกค้าลาวราคา
ข้อมูลสำรองเก็บไว้ที่เชียงใหม่สี่สิบวัน | ข้อมูลสำรองกี่วัน
ห้ามเปลี่ยนชื่อตารางคำสั่งซื้อเก่าเพราะคู่ค้าอ่านอยู่ | ตารางคำสั่งซื้อ
หน้าเข้าสู่ระบบจะหมดเวลาหลังสิบนาที | เข้าสู่ระบบหมดเวลา
งบแปลภาษาคือสามหมื่นบาท | งบแปลภาษา
เครื่องพิมพ์ในโกดังใช้ได้แต่ฉลากแคบ | เครื่องพิมพ์ฉลาก
ตะกร้าสินค้าใหม่เปิดให้ผู้เข้าชมหกเปอร์เซ็นต์ | ตะกร้าผู้เข้าชม
วิชัยเขียนตัวอ่านรายการเดินบัญชีธนาคาร | รายการเดินบัญชี
ใบรับรองของเซิร์ฟเวอร์อีเมลหมดอายุเดือนธันวาคม | ใบรับรองหมดอายุ
เราเลือกคิวใหม่เพราะคิวเก่าทำข้อความหาย | ทำไมเลือกคิวใหม่
โทรศัพท์ช่วยเหลือรับสายที่ขอนแก่น | โทรศัพท์ช่วยเหลือ
ผู้ตรวจสอบต้องลงนามในรายงานทุกฉบับ | ลงนามรายงาน
แอปมือถือยังเรียกที่อยู่เก่าของคำสั่งซื้อ | แอปมือถือที่อยู่
พนักงานส่งของไม่รับพัสดุที่หนักเกินสิบห้ากิโลกรัม | พัสดุกิโลกรัม
บัญชีทดสอบชื่อว่านากเจ็ด | บัญชีทดสอบชื่อ`,
};
